// SPDX-License-Identifier: Apache-2.0
// Counter-based random numbers: any pixel's words are computed directly, in any order, on any
// device.
#pragma once

#include <cstdint>

#include "kernels/math/platform.h"

namespace cuimg {

struct RandomWords {
  std::uint32_t v[4];
};

/// Philox4x32-10: a key and a counter to four random words. Salmon, Moraes, Dror and Shaw,
/// "Parallel random numbers: as easy as 1, 2, 3", SC11, section 3.3, whose multipliers, Weyl
/// constants and ten rounds these are; equal to the known answers of their library, Random123.
CUIMG_HD inline RandomWords philox4x32(RandomWords counter, std::uint32_t key0,
                                       std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t even = std::uint64_t{0xd2511f53u} * counter.v[0];
    const std::uint64_t odd = std::uint64_t{0xcd9e8d57u} * counter.v[2];
    counter = {{static_cast<std::uint32_t>(odd >> 32) ^ counter.v[1] ^ key0,
                static_cast<std::uint32_t>(odd),
                static_cast<std::uint32_t>(even >> 32) ^ counter.v[3] ^ key1,
                static_cast<std::uint32_t>(even)}};
    key0 += 0x9e3779b9u;
    key1 += 0xbb67ae85u;
  }
  return counter;
}

}  // namespace cuimg

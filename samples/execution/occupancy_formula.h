// SPDX-License-Identifier: Apache-2.0
// The number of blocks that fit on a multiprocessor, written out.
#pragma once

#include <algorithm>
#include <array>

#include "common/card.h"

namespace cuimg::samples {

struct Limit {
  const char* by;
  int blocks;
};

/// The blocks that fit by each resource; the smallest number applies. Allocation units of cards
/// from compute capability 7.5 on: registers in units of 256 for a warp, which stays in one of four
/// partitions.
inline Limit formula(const cudaDeviceProp& card, int threads, int registers, int shared) {
  const auto round_up = [](int value, int unit) { return (value + unit - 1) / unit * unit; };
  const int warps = round_up(threads, 32) / 32;
  const int of_warp = round_up(registers * 32, 256);
  const int of_block = round_up(shared + static_cast<int>(card.reservedSharedMemPerBlock),
                                card.major == 7 ? 256 : 128);
  const std::array<Limit, 4> limits = {{
      {"threads", card.maxThreadsPerMultiProcessor / 32 / warps},
      {"registers", card.regsPerMultiprocessor / 4 / of_warp * 4 / warps},
      {"shared memory", of_block == 0
                            ? card.maxBlocksPerMultiProcessor
                            : static_cast<int>(card.sharedMemPerMultiprocessor) / of_block},
      {"blocks", card.maxBlocksPerMultiProcessor},
  }};
  return *std::ranges::min_element(limits, {}, &Limit::blocks);
}

}  // namespace cuimg::samples

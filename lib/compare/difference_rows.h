// SPDX-License-Identifier: Apache-2.0
// One pass over two layers of one form: how far apart values are, how many pixels differ and how
// many break limits. What it finds does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "compare/comparison.h"
#include "compare/limits.h"
#include "device/queue.h"
#include "image/image.h"

namespace cuimg {

/// What a pixel is, as bits.
namespace pixel_state {
inline constexpr std::uint8_t differs = 1, fails = 2, warns = 4, fails_hard = 8, warns_hard = 16;
inline constexpr std::uint8_t mismatch = 32, nan = 64;
}  // namespace pixel_state

/// Limits.fail and its like as what a loop compares with.
struct ValueLimits {
  float fail = 0, fail_relative = 0, hard_fail = 0, warn = 0, warn_relative = 0, hard_warn = 0;
  std::uint32_t max_ulp = 0;
  bool counts_nans = false;
};
/// Limits that are not given are infinite; without any of values a differing value fails.
ValueLimits value_limits(const Limits& limits);

/// @param golden, result of one window and with the same layers. @param ignored as AlignedPair's.
/// @param states null, or a byte of pixel_state's bits for each pixel, filled here.
Differences find_differences(const Image& golden, const Image& result, int layer,
                             const ValueLimits& limits, const std::vector<std::uint8_t>& ignored,
                             const Queue& queue, std::vector<std::uint8_t>* states = nullptr);

/// Adds each layer's to that of the picture. @param layer its index.
ValuePlace place_of(const Image& golden, const Image& result, int layer, int x, int y, int channel);

}  // namespace cuimg

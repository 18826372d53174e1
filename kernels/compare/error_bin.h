// SPDX-License-Identifier: Apache-2.0
// Errors from 0 to 1 as integers, whose sums do not depend on the order, and their bins, by the
// upper bits of the float.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/math/bits.h"
#include "kernels/math/platform.h"

namespace cuimg::error_bin {

/// The integer for an error of 1. The sum of 2^30 pixels with it fits.
inline constexpr double unit = 0x1p33;
/// The lower bits of a float, which distinguish the errors in a bin.
inline constexpr int lower_bits = 14;
inline constexpr std::size_t values_each = std::size_t{1} << lower_bits;
inline constexpr std::size_t count = (0x3f800000u >> lower_bits) + 1;

CUIMG_HD inline std::uint64_t whole(float error) {
  return static_cast<std::uint64_t>(static_cast<double>(error) * unit);
}
CUIMG_HD inline std::uint32_t of(float error) { return bits_of(error) >> lower_bits; }
/// The index of the value in its bin.
CUIMG_HD inline std::uint32_t place(float error) {
  return bits_of(error) & static_cast<std::uint32_t>(values_each - 1);
}
CUIMG_HD inline float value(std::uint32_t bin, std::uint32_t place) {
  return float_from_bits(bin << lower_bits | place);
}

}  // namespace cuimg::error_bin

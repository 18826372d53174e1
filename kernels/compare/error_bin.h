// SPDX-License-Identifier: Apache-2.0
// Errors from 0 to 1 as integers, whose sums are the same in any order, and sorted into bins by the
// upper bits of the float.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/math/bits.h"
#include "kernels/math/platform.h"

namespace cuimg::error_bin {

/// What an error of 1 is. 2^30 pixels of it have a sum.
inline constexpr double unit = 0x1p33;
/// The lower bits of a float, which tell the errors of a bin apart.
inline constexpr int lower_bits = 14;
inline constexpr std::size_t values_each = std::size_t{1} << lower_bits;
inline constexpr std::size_t count = (0x3f800000u >> lower_bits) + 1;

CUIMG_HD inline std::uint64_t whole(float error) {
  return static_cast<std::uint64_t>(static_cast<double>(error) * unit);
}
CUIMG_HD inline std::uint32_t of(float error) { return bits_of(error) >> lower_bits; }
/// Which of the bin's values it is, in their order.
CUIMG_HD inline std::uint32_t place(float error) {
  return bits_of(error) & static_cast<std::uint32_t>(values_each - 1);
}
CUIMG_HD inline float value(std::uint32_t bin, std::uint32_t place) {
  return float_from_bits(bin << lower_bits | place);
}

}  // namespace cuimg::error_bin

// SPDX-License-Identifier: Apache-2.0
// Floats seen as their bits, the same on both sides of the compiler.
#pragma once

#include <cstdint>

#include "kernels/math/platform.h"

namespace cuimg {

/// @returns the IEEE-754 bits of `value`.
CUIMG_HD constexpr std::uint32_t bits_of(float value) {
  return __builtin_bit_cast(std::uint32_t, value);
}
CUIMG_HD constexpr std::uint64_t bits_of(double value) {
  return __builtin_bit_cast(std::uint64_t, value);
}

/// @returns the float whose IEEE-754 bits are `bits`; a NaN's payload is kept.
CUIMG_HD constexpr float float_from_bits(std::uint32_t bits) {
  return __builtin_bit_cast(float, bits);
}
CUIMG_HD constexpr double double_from_bits(std::uint64_t bits) {
  return __builtin_bit_cast(double, bits);
}

/// @returns floor(log2(value)); `value` must not be 0.
CUIMG_HD constexpr int floor_log2(std::uint64_t value) {
  int result = 0;
  for (int step = 32; step > 0; step >>= 1) {
    if (value >> step) {
      value >>= step;
      result += step;
    }
  }
  return result;
}

/// @returns 2^exponent, for exponents of normal doubles (-1022 to 1023).
CUIMG_HD constexpr double power_of_two(int exponent) {
  return double_from_bits(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

}  // namespace cuimg

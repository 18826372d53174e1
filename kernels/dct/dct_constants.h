// SPDX-License-Identifier: Apache-2.0
// Constants of the integer DCTs in both directions: cosines with 13 bits.
#pragma once

#include "kernels/math/platform.h"

namespace cuimg::dct {

inline constexpr int bits = 13;      ///< Fraction bits of the constants below.
inline constexpr int pass_bits = 2;  ///< Extra bits kept between the two passes.

// c(k) is the cosine of k pi / 16 times the square root of 2. These, and sums of them that save
// multiplications, are rounded to 13 bits.
inline constexpr int c6 = 4433;           ///< c(6)
inline constexpr int c3 = 9633;           ///< c(3)
inline constexpr int outer_pair = 7373;   ///< c(3) - c(7)
inline constexpr int inner_pair = 20995;  ///< c(1) + c(3)
inline constexpr int low_pair = 16069;    ///< c(3) + c(5)
inline constexpr int high_pair = 3196;    ///< c(3) - c(5)
inline constexpr int seventh = 2446;      ///< -c(1) + c(3) + c(5) - c(7)
inline constexpr int fifth = 16819;       ///< c(1) + c(3) - c(5) + c(7)
inline constexpr int third = 25172;       ///< c(1) + c(3) + c(5) - c(7)
inline constexpr int first = 12299;       ///< c(1) + c(3) - c(5) - c(7)
inline constexpr int c2_less_c6 = 6270;   ///< c(2) - c(6)
inline constexpr int c2_and_c6 = 15137;   ///< c(2) + c(6)

/// value / 2^shift, with halves rounded up.
CUIMG_HD inline int rounded_shift(int value, int shift) {
  return (value + (1 << (shift - 1))) >> shift;
}

}  // namespace cuimg::dct

// SPDX-License-Identifier: Apache-2.0
// The texture unit's bilinear rule for float texels where a picture is made twice as large: every
// read lies a quarter of the way between two texels on both axes, so the four texels of a cell are
// cut once for its four results, and the weights are 9, 3, 3 and 1 of 16. The same bits as
// kernels/texture_combine.h, in far fewer steps.
#pragma once

#include <cstdint>

#include "kernels/bits.h"
#include "kernels/platform.h"

namespace cuimg {

/// One channel of a cell of four texels, as an enlargement by two reads it.
class DoublingCell {
 public:
  /// Whether the short way holds for these texels: all +0, or finite and the largest of them no
  /// smaller than 2^-86, so that no sum is denormal. Elsewhere the definition must be asked.
  CUIMG_HD static bool holds(float t00, float t10, float t01, float t11) {
    const std::uint32_t all = bits_of(t00) | bits_of(t10) | bits_of(t01) | bits_of(t11);
    const bool is_plain =
        largest(t00, t10, t01, t11) - smallest_largest < infinity - smallest_largest;
    return is_plain | (all == 0);  // no branch
  }

  /// @param t00 upper left, t10 upper right, t01 lower left, t11 lower right; holds() for them.
  CUIMG_HD DoublingCell(float t00, float t10, float t01, float t11) {
    // With E the largest exponent texels are whole numbers of 2^(E-27), cut towards zero: what the
    // conversion to int does. They stay below 2^28, so three of one and one of another fit too.
    const std::uint32_t most = largest(t00, t10, t01, t11);
    const std::uint32_t exponent =
        (most > smallest_largest ? most : smallest_largest) & 0x7f800000u;
    const float scale = float_from_bits(((127u + 27 + 127) << 23) - exponent);
    const int a = static_cast<int>(t00 * scale), b = static_cast<int>(t10 * scale);
    const int c = static_cast<int>(t01 * scale), d = static_cast<int>(t11 * scale);
    upper_[0] = whole(3 * a + b);
    upper_[1] = whole(3 * b + a);
    lower_[0] = whole(3 * c + d);
    lower_[1] = whole(3 * d + c);
    unit_ = float_from_bits(exponent - ((27u + 4) << 23));
  }

  /// What the unit returns in the left (0) or right (1) column of the upper (0) or lower (1) row.
  CUIMG_HD float result(int column, int row) const {
    const double near = row == 0 ? upper_[column] : lower_[column];
    const double far = row == 0 ? lower_[column] : upper_[column];
    const double sum = __builtin_fma(3.0, near, far);  // exact: below 2^33
    // The last of 53 bits, which is 0, turns rounding to even into rounding halves away from zero;
    // a sum of 0 becomes too small for a float.
    const float rounded = static_cast<float>(double_from_bits(bits_of(sum) | 1));
    return rounded * unit_;
  }

 private:
  static constexpr std::uint32_t infinity = 0x7f800000u;
  static constexpr std::uint32_t smallest_largest = 41u << 23;  // 2^-86

  CUIMG_HD static std::uint32_t magnitude(float x) { return bits_of(x) & 0x7fffffffu; }
  CUIMG_HD static std::uint32_t larger(std::uint32_t a, std::uint32_t b) { return a > b ? a : b; }
  CUIMG_HD static std::uint32_t largest(float a, float b, float c, float d) {
    return larger(larger(magnitude(a), magnitude(b)), larger(magnitude(c), magnitude(d)));
  }
  // An int as a double without a conversion, of which a card makes few at a time.
  CUIMG_HD static double whole(int value) {
    const std::uint32_t low = static_cast<std::uint32_t>(value) ^ 0x80000000u;
    return double_from_bits(0x4330000000000000u | low) - 0x1.000008p52;  // 2^52 + 2^31
  }

  double upper_[2], lower_[2];  ///< Three of the near texel and one of the other, along a row.
  float unit_;                  ///< A sixteenth of what a texel's last bit is worth.
};

}  // namespace cuimg

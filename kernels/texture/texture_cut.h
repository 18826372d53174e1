// SPDX-License-Identifier: Apache-2.0
// How the texture unit's filter truncates and rounds float texels, for texels to which only the
// first rule of kernels/texture/texture_combine.h applies: the same bits in far fewer steps.
#pragma once

#include <cstdint>

#include "kernels/math/bits.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// One channel of four texels that all have a weight. With E the largest exponent, they are
/// integers in units of 2^(E-27), truncated towards zero, and below 2^28.
struct CutTexels {
  int t00, t10, t01, t11;
  std::uint32_t exponent;  ///< E, in the bits of a float's exponent.

  /// Whether this form is valid for them: all are +0, or all are finite and the largest is at least
  /// 2^-86, so that no sum is denormal. Otherwise the definition must be used.
  CUIMG_HD static bool holds(float t00, float t10, float t01, float t11) {
    const std::uint32_t all = bits_of(t00) | bits_of(t10) | bits_of(t01) | bits_of(t11);
    const bool is_plain =
        largest(t00, t10, t01, t11) - smallest_largest < infinity - smallest_largest;
    return is_plain | (all == 0);  // no branch
  }

  CUIMG_HD CutTexels(float a, float b, float c, float d)
      : CutTexels(a, b, c, d, largest(a, b, c, d)) {}
  /// For texels none of which is negative.
  CUIMG_HD static CutTexels of_positive(float a, float b, float c, float d) {
    return {a, b, c, d, larger(larger(bits_of(a), bits_of(b)), larger(bits_of(c), bits_of(d)))};
  }
  /// 2^(E-27-bits): the unit of a weighted sum of them, with weights in units of 2^-bits; bits at
  /// most 8.
  CUIMG_HD float unit(unsigned bits) const {
    return float_from_bits(exponent - ((27 + bits) << 23));
  }

 private:
  static constexpr std::uint32_t infinity = 0x7f800000u;
  static constexpr std::uint32_t smallest_largest = 41u << 23;  // 2^-86

  CUIMG_HD CutTexels(float a, float b, float c, float d, std::uint32_t most) {
    exponent = (most > smallest_largest ? most : smallest_largest) & 0x7f800000u;
    const float scale = float_from_bits(((127u + 27 + 127) << 23) - exponent);
    t00 = static_cast<int>(a * scale);
    t10 = static_cast<int>(b * scale);
    t01 = static_cast<int>(c * scale);
    t11 = static_cast<int>(d * scale);
  }

  CUIMG_HD static std::uint32_t magnitude(float x) { return bits_of(x) & 0x7fffffffu; }
  CUIMG_HD static std::uint32_t larger(std::uint32_t a, std::uint32_t b) { return a > b ? a : b; }
  CUIMG_HD static std::uint32_t largest(float a, float b, float c, float d) {
    return larger(larger(magnitude(a), magnitude(b)), larger(magnitude(c), magnitude(d)));
  }
};

/// An integer below 2^52, rounded to 24 bits, halves away from zero. Setting the last of its 53
/// bits, which is 0, makes rounding to even do this; a 0 becomes too small for a float, and 0
/// again.
CUIMG_HD inline float rounded_half_away(double whole) {
  return static_cast<float>(double_from_bits(bits_of(whole) | 1));
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The texture unit's bilinear rule for float texels, made ready once for the four texels of a cell
// and then evaluated at many fractions: what enlarging does. Same bits as kernels/texture_unit.h;
// on a card whose double arithmetic is fast it outruns the texture unit itself.
#pragma once

#include <cstdint>

#include "kernels/bits.h"
#include "kernels/platform.h"

namespace cuimg {

/// The weights of a cell's texels, of 256, as the unit has them. All must be above 0.
struct CellWeights {
  double w00, w10, w01, w11;

  /// @param fx, fy fractions out of 256.
  CUIMG_HD static CellWeights at(int fx, int fy) {
    const int far = (fx * fy + 128) >> 8;
    return {exact(256 - fx - fy + far), exact(fx - far), exact(fy - far), exact(far)};
  }

 private:
  // A small whole number as a double without a conversion, which cards do slowly.
  CUIMG_HD static double exact(int value) {
    const std::uint64_t bits = 0x4330000000000000u | static_cast<std::uint64_t>(value);
    return __builtin_bit_cast(double, bits) - 4503599627370496.0;  // 2^52
  }
};

/// One channel of a cell.
struct FloatCell {
  double t00, t10, t01, t11;  ///< Texels cut to what the unit sums.
  /// Whether sample() holds: false for values that are special, or so small or large that a sum may
  /// be.
  bool is_plain;

  CUIMG_HD static FloatCell of(float t00, float t10, float t01, float t11) {
    const std::uint32_t a = magnitude(t00), b = magnitude(t10), c = magnitude(t01),
                        d = magnitude(t11);
    const std::uint32_t ab = a > b ? a : b, cd = c > d ? c : d;
    const int largest = static_cast<int>((ab > cd ? ab : cd) >> 23);
    FloatCell cell;
    cell.is_plain = largest >= 40 && largest <= 240;
    cell.t00 = cut(t00, largest);
    cell.t10 = cut(t10, largest);
    cell.t01 = cut(t01, largest);
    cell.t11 = cut(t11, largest);
    return cell;
  }

  /// The filtered value where all weights are above 0.
  CUIMG_HD float sample(const CellWeights& w) const {
    // Every product and sum is exact: 8 and 24 bits, within 2^28 of each other.
    const double sum = w.w11 * t11 + w.w01 * t01 + w.w10 * t10 + w.w00 * t00;
    // One more in the last place of 53, and rounding to even becomes rounding halves away from
    // zero.
    const auto bits = __builtin_bit_cast(std::uint64_t, sum);
    const double nudged = __builtin_bit_cast(double, sum == 0.0 ? std::uint64_t{0} : bits + 1);
    return static_cast<float>(nudged) * 0x1p-8f;
  }

 private:
  CUIMG_HD static std::uint32_t magnitude(float x) { return bits_of(x) & 0x7fffffffu; }

  // Toward zero, to a multiple of 2^(E-27) for the largest exponent E.
  CUIMG_HD static double cut(float x, int largest) {
    const std::uint32_t bits = bits_of(x);
    const int excess = largest - static_cast<int>(bits >> 23 & 255u) - 4;
    const std::uint32_t mask = excess <= 0 ? ~0u : excess > 23 ? 0u : ~0u << excess;
    return static_cast<double>(float_from_bits(bits & mask));
  }
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The difference of two stored values. Values that are not finite have no distance: they are equal
// or they mismatch, which is counted separately.
#pragma once

#include <cstdint>

#include "kernels/color/encoding.h"
#include "kernels/math/math.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// The comparison of two values.
struct ValueDifference {
  float absolute = 0;          ///< |a - b|, with integers as v / largest.
  float relative = 0;          ///< absolute / max(|a|, |b|), at most 1.
  std::uint32_t steps = 0;     ///< The distance in representable values: ulp, or codes of integers.
  std::uint32_t mismatch = 0;  ///< 1: one is not finite and the other differs from it.
  std::uint32_t left_out = 0;  ///< 1: both are NaN, or the same infinity: not included in means.
};

/// Compares floats, and halves as floats: NaN equals NaN, -0 equals 0. All comparisons are on
/// integers, so loops over this vectorise.
/// @param steps in the type's units; 0 for equal numbers.
CUIMG_HD inline ValueDifference float_difference(float a, float b, std::uint32_t steps) {
  constexpr std::uint32_t infinity = 0x7f800000u, one = 0x3f800000u;
  const std::uint32_t size_a = bits_of(a) & 0x7fffffffu, size_b = bits_of(b) & 0x7fffffffu;
  const auto one_if = [](bool is) { return static_cast<std::uint32_t>(is); };
  const std::uint32_t both_nan = one_if(size_a > infinity) & one_if(size_b > infinity);
  const std::uint32_t same = one_if(steps == 0) | both_nan;
  const std::uint32_t finite = one_if(size_a < infinity) & one_if(size_b < infinity);
  const std::uint32_t counts = 0u - (finite & (same ^ 1u));  // all bits, or none
  const std::uint32_t size = size_a < size_b ? size_b : size_a;
  const float distance = abs(a - b);
  // Divided by 1 if the quotient is not used.
  const float divisor = float_from_bits((size & counts) | (one & ~counts));
  const std::uint32_t relative = bits_of(distance / divisor);
  ValueDifference d;
  d.absolute = float_from_bits(bits_of(distance) & counts);
  // Values of opposite sign would give a quotient above 1; it is limited to 1.
  d.relative = float_from_bits((relative < one ? relative : one) & counts);
  d.steps = steps & counts;
  d.mismatch = (finite ^ 1u) & (same ^ 1u);
  d.left_out = (finite ^ 1u) & same;
  return d;
}

/// An integer that orders floats, with both zeros as 0.
CUIMG_HD inline std::int32_t float_rank(float x) {
  const std::uint32_t bits = bits_of(x), size = bits & 0x7fffffffu;
  return static_cast<std::int32_t>(select((bits >> 31) != 0, 0u - size, size));
}
CUIMG_HD inline std::int32_t half_rank(Half x) {
  const std::int32_t size = x.bits & 0x7fff;
  return select((x.bits >> 15) != 0, -size, size);
}

CUIMG_HD inline ValueDifference value_difference(float a, float b) {
  const std::int32_t rank_a = float_rank(a), rank_b = float_rank(b);
  const auto difference = static_cast<std::uint32_t>(rank_a) - static_cast<std::uint32_t>(rank_b);
  return float_difference(a, b, select(rank_a < rank_b, 0u - difference, difference));
}
/// For halves that were converted to floats. @param p, q the halves themselves.
CUIMG_HD inline ValueDifference value_difference(float a, float b, Half p, Half q) {
  const std::int32_t difference = half_rank(p) - half_rank(q);
  return float_difference(
      a, b, static_cast<std::uint32_t>(select(difference < 0, -difference, difference)));
}
CUIMG_HD inline ValueDifference value_difference(Half a, Half b) {
  return value_difference(half_to_float(a), half_to_float(b), a, b);
}

namespace detail {
template <class T>
CUIMG_HD inline ValueDifference code_difference(T a, T b, float largest) {
  const std::int32_t difference = static_cast<std::int32_t>(a) - static_cast<std::int32_t>(b);
  const std::int32_t size = select(difference < 0, -difference, difference);
  const auto greater = static_cast<float>(
      select(difference < 0, static_cast<std::int32_t>(b), static_cast<std::int32_t>(a)));
  ValueDifference d;
  d.absolute = static_cast<float>(size) / largest;
  d.relative = static_cast<float>(size) / select(size == 0, 1.0f, greater);
  d.steps = static_cast<std::uint32_t>(size);
  return d;
}
}  // namespace detail

CUIMG_HD inline ValueDifference value_difference(std::uint8_t a, std::uint8_t b) {
  return detail::code_difference(a, b, 255.0f);
}
CUIMG_HD inline ValueDifference value_difference(std::uint16_t a, std::uint16_t b) {
  return detail::code_difference(a, b, 65535.0f);
}

/// The difference whose square is added for the root mean square: in double, since floats' squares
/// overflow. 0 unless both values are finite.
CUIMG_HD inline double finite_difference(float a, float b) {
  // No &&, so that loops over this vectorise.
  const bool counts = (static_cast<int>(is_finite(a)) & static_cast<int>(is_finite(b))) != 0;
  return static_cast<double>(select(counts, a, 0.0f)) -
         static_cast<double>(select(counts, b, 0.0f));
}

}  // namespace cuimg

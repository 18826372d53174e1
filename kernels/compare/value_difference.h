// SPDX-License-Identifier: Apache-2.0
// How far apart two stored values are. Values that are not finite have no distance: they are equal
// or they do not match, which is counted apart.
#pragma once

#include <cstdint>

#include "kernels/color/encoding.h"
#include "kernels/math/math.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// What two values are to each other.
struct ValueDifference {
  float absolute = 0;       ///< |a - b|, integers as v / largest.
  float relative = 0;       ///< absolute / max(|a|, |b|), 1 at most.
  std::uint32_t steps = 0;  ///< Representable values between them: ulp, or codes of integers.
  bool mismatch = false;    ///< One is not finite and the other is another value.
};

/// Floats, and halves as floats: NaN equals NaN, -0 equals 0.
/// @param steps of finite values, as the type counts them.
CUIMG_HD inline ValueDifference float_difference(float a, float b, std::uint32_t steps) {
  const bool same = (a == b) | (is_nan(a) & is_nan(b));
  const bool finite = is_finite(a) & is_finite(b);
  const bool counts = finite & !same;
  const float distance = abs(a - b);
  const float size_a = abs(a), size_b = abs(b);
  const float size = select(size_a < size_b, size_b, size_a);
  ValueDifference d;
  d.absolute = select(counts, distance, 0.0f);
  // Across 0 the quotient falls again the further they are apart: there the largest counts.
  const float relative = distance / select(counts, size, 1.0f);
  d.relative = select(counts, select(relative < 1.0f, relative, 1.0f), 0.0f);
  d.steps = select(counts, steps, 0u);
  d.mismatch = !finite & !same;
  return d;
}

/// An integer that counts floats in their order, both zeros being 0.
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
/// Halves that are floats already. @param p, q the halves themselves.
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

/// The difference whose square counts for the root mean square: in double, since floats' squares
/// overflow. 0 where the values are no finite pair.
CUIMG_HD inline double finite_difference(float a, float b) {
  const bool counts = is_finite(a) & is_finite(b);
  return static_cast<double>(select(counts, a, 0.0f)) -
         static_cast<double>(select(counts, b, 0.0f));
}

}  // namespace cuimg

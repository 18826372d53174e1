// SPDX-License-Identifier: Apache-2.0
// Exponentials and logarithms in float32 without libm, the same bits on the host and on the card.
// Float pairs (a high part and its rounding error) carry the extra bits; doubles would be 64 times
// slower on consumer cards. Each function is branch-free, so loops over it vectorise.
#pragma once

#include <cstdint>

#include "kernels/math/divisor.h"
#include "kernels/math/math.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// An unevaluated sum of two floats, |low| at most half an ulp of high.
struct FloatPair {
  float high, low;
};

/// A constant as a pair, split by the compiler.
CUIMG_HD constexpr FloatPair pair_of(double value) {
  const auto high = static_cast<float>(value);
  return {high, static_cast<float>(value - static_cast<double>(high))};
}

/// a + b exactly, for |a| >= |b| or a = 0 (Dekker 1971).
CUIMG_HD inline FloatPair fast_two_sum(float a, float b) {
  const float sum = a + b;
  return {sum, (a - sum) + b};
}

/// a + b exactly, in any order (Knuth 1969).
CUIMG_HD inline FloatPair two_sum(float a, float b) {
  const float sum = a + b;
  const float b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

/// a * b to about 2^-46 of itself.
CUIMG_HD inline FloatPair multiply(FloatPair a, FloatPair b) {
  const float high = a.high * b.high;
  return {high, fma(a.high, b.high, -high) + fma(a.high, b.low, a.low * b.high)};
}

/// log2(x) as a pair, relative error under 2^-35, for x finite and above 0 (denormals included).
/// log2(m) = 2/ln2 * atanh(s), s = (m-1)/(m+1), for m in [sqrt(1/2), sqrt(2)); the polynomial is a
/// Chebyshev fit of the series from s^5 on.
/// @param scaled 24 if x is 2^24 times the argument of the logarithm, otherwise 0; x is normal.
CUIMG_HD inline FloatPair log2_pair_of_normal(float x, std::int32_t scaled = 0) {
  constexpr FloatPair c1 = pair_of(2.8853900817779268), c3 = pair_of(0.96179669392597561);
  const std::uint32_t bits = bits_of(x);
  const std::int32_t exponent = static_cast<std::int32_t>(bits - 0x3f3504f3u) >> 23;
  const float m = float_from_bits(bits - (static_cast<std::uint32_t>(exponent) << 23));
  const auto e = static_cast<float>(exponent - scaled);

  const float f = m - 1.0f;
  const FloatPair d = fast_two_sum(select(m < 1.0f, 1.0f, m), select(m < 1.0f, m, 1.0f));
  const Divisor by_d(d.high);
  const float s_high = by_d.divide(f);
  const float s_low = by_d.divide(fma(-s_high, d.low, fma(-s_high, d.high, f)));
  const float t_high = s_high * s_high;
  const FloatPair t{t_high, fma(s_high, s_high, -t_high) + 2.0f * s_high * s_low};

  float q = 0x1.1a8c5ap-2f;
  q = fma(q, t_high, 0x1.48084ep-2f);
  q = fma(q, t_high, 0x1.a617c8p-2f);
  q = fma(q, t_high, 0x1.2776c6p-1f);
  FloatPair u = fast_two_sum(c3.high, q * t_high);
  u.low += c3.low;
  const FloatPair tu = multiply(t, u);
  FloatPair v = fast_two_sum(c1.high, tu.high);
  v.low += c1.low + tu.low;
  const FloatPair r = multiply({s_high, s_low}, v);

  FloatPair sum = fast_two_sum(e, r.high);
  sum.low += r.low;
  return fast_two_sum(sum.high, sum.low);
}

namespace detail {

/// 2^f on [-1/2, 1/2].
CUIMG_HD inline float exp2_of_fraction(float f) {
  float q = 0x1.00a646p-16f;
  q = fma(q, f, 0x1.444140p-13f);
  q = fma(q, f, 0x1.5d879ep-10f);
  q = fma(q, f, 0x1.3b2a1ap-7f);
  q = fma(q, f, 0x1.c6b08ep-5f);
  q = fma(q, f, 0x1.ebfbe0p-3f);
  q = fma(q, f, 0x1.62e430p-1f);
  return fma(q, f, 1.0f);
}

}  // namespace detail

/// 2^(x.high + x.low), error under 0.9 ulp, saturating to infinity and to 0; NaN is not handled.
CUIMG_HD inline float exp2_pair(FloatPair x) {
  // Beyond these limits every result is infinite or 0, and the low part has no effect.
  const float high = clamp(x.high, -160.0f, 130.0f);
  const float low = select(high == x.high, x.low, 0.0f);
  const float shifted = high + 0x1.8p23f;
  const auto n = static_cast<std::int32_t>(bits_of(shifted)) - 0x4b400000;
  const float f = (high - (shifted - 0x1.8p23f)) + low;
  const float mantissa = detail::exp2_of_fraction(f);
  // Two factors, since 2^n alone may be outside the normal numbers; the first product is exact.
  const std::int32_t half = n >> 1;
  const float scale1 = float_from_bits(static_cast<std::uint32_t>(half + 127) << 23);
  const float scale2 = float_from_bits(static_cast<std::uint32_t>(n - half + 127) << 23);
  return mantissa * scale1 * scale2;
}

/// 2^x, error under 1 ulp, for x from -125 to 127; any float elsewhere. Half the work of exp2_pair.
CUIMG_HD inline float exp2_short(float x) {
  const float shifted = x + 0x1.8p23f;
  const float f = x - (shifted - 0x1.8p23f);
  // The integer part is in the low bits of `shifted`; the shift drops all others.
  return float_from_bits(bits_of(detail::exp2_of_fraction(f)) + (bits_of(shifted) << 23));
}
/// The same for x <= 0; 0 below 2^-125 and for NaN.
CUIMG_HD inline float exp2_to_one(float x) { return select(x >= -125.0f, exp2_short(x), 0.0f); }

CUIMG_HD inline FloatPair log2_pair(float x) {
  const bool tiny = x < 0x1p-126f;
  return log2_pair_of_normal(select(tiny, x * 0x1p24f, x), select(tiny, 24, 0));
}

namespace detail {
/// The logarithm's value outside the positive finite numbers, and `inside` for those.
CUIMG_HD inline float with_log_specials(float x, float inside) {
  const std::uint32_t at_most_zero = select(x == 0.0f, 0xff800000u, canonical_nan_bits);
  const std::uint32_t result = select(x > 0.0f, bits_of(inside), at_most_zero);
  return float_from_bits(select(bits_of(x) == 0x7f800000u, 0x7f800000u, result));
}
/// Replaces x where the logarithm is not defined, so that no exceptional value enters the maths.
CUIMG_HD inline float log_argument(float x) {
  return select(bits_of(x) - 1u < 0x7f7fffffu, x, 1.0f);  // 0 < x < infinity, in one comparison
}
}  // namespace detail

/// The natural logarithm, error under 0.6 ulp; -infinity for 0, NaN below 0.
CUIMG_HD inline float log(float x) {
  constexpr FloatPair ln_2 = pair_of(0.69314718055994531);
  const FloatPair product = multiply(log2_pair(detail::log_argument(x)), ln_2);
  return detail::with_log_specials(x, product.high + product.low);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Powers with an exponent that is known beforehand, as curves over a picture need. They take half
// the work of pow() in exp_log.h: the exponent is multiplied into the logarithm's constants,
// nothing is divided, and only terms that affect the last bits are kept in two floats. Errors are
// at most one ulp, 2.5 ulp for exponents of 100.
#pragma once

#include "kernels/math/exp_log.h"

namespace cuimg {

/// A factor p of logarithms, split so that p times a float's exponent is exact.
struct LogFactor {
  float whole = 1, rest = 0;    ///< p = whole + rest, 16 bits of it in `whole`.
  float c_high = 0, c_low = 0;  ///< p * 2 / ln 2.
};

namespace detail {
CUIMG_HD constexpr float upper_16_bits(float x) {
  return bit_cast<float>(bit_cast<std::uint32_t>(x) & 0xffffff00u);
}
}  // namespace detail

/// A constant as a pair whose high part has 16 bits.
CUIMG_HD constexpr FloatPair short_pair_of(double value) {
  const float high = detail::upper_16_bits(static_cast<float>(value));
  return {high, static_cast<float>(value - static_cast<double>(high))};
}

/// x * factor with an error under one ulp, for dividing by a constant. Both parts of the factor
/// must have the same sign, so that infinity is preserved.
CUIMG_HD inline float times(float x, FloatPair factor) {
  return fma(x, factor.high, x * factor.low);
}

/// A constant's split, also for use on the host.
CUIMG_HD constexpr LogFactor log_factor(double p) {
  const float whole = detail::upper_16_bits(static_cast<float>(p));
  const FloatPair c = pair_of(p * 2.8853900817779268);
  return {whole, static_cast<float>(p - static_cast<double>(whole)), c.high, c.low};
}

/// exact + s * c + low: few bits in `exact`, `low` small, and the product meant to be fused.
struct SplitLog {
  float exact, s, c, low;
  float product;  ///< s * c, rounded.
};

/// p * log2(x), for x normal, finite and above 0, with an error of 2^-30 of the part that is not an
/// integer times p. log2(m) = 2/ln2 * atanh(s), s = (m-1)/(m+1), for m in [sqrt(1/2), sqrt(2)).
CUIMG_HD inline SplitLog scaled_log2(float x, const LogFactor& p) {
  const std::uint32_t bits = bits_of(x);
  const std::uint32_t exponent = (bits - 0x3f3504f3u) & 0xff800000u;
  const float f = float_from_bits(bits - exponent) - 1.0f;
  const auto e = static_cast<float>(static_cast<std::int32_t>(exponent) >> 23);

  // 1 / (f + 2): a quadratic, then Newton's step of third order. s_low corrects its error.
  const float d = f + 2.0f;
  const float d_low = f - (d - 2.0f);
  float r = fma(fma(0x1.deabbep-4f, f, -0x1.051cd4p-2f), f, 0x1.0029d8p-1f);
  const float miss = fma(-d, r, 1.0f);
  r = fma(r, fma(miss, miss, miss), r);
  const float s = f * r;
  const float s_low = fma(-s, d_low, fma(-s, d, f)) * r;

  const float t = s * s;
  const float q =
      fma(fma(fma(0x1.e2f99cp-4f, t, 0x1.2438c4p-3f), t, 0x1.999a7ap-3f), t, 0x1.555554p-2f);
  const float product = s * p.c_high;
  float low = fma(e, p.rest, s * p.c_low);
  low = fma(s_low, p.c_high, low);
  low = fma(product * t, q, low);
  return {e * p.whole, s, p.c_high, low, product};
}

namespace detail {

/// 2^f on [-1/2, 1/2] times 2^n, where the low bits of `shifted` are n: for results that are
/// normal.
CUIMG_HD inline float exp2_scaled(float f, float shifted) {
  float q = 0x1.fde506p-17f;
  q = fma(q, f, 0x1.445d32p-13f);
  q = fma(q, f, 0x1.5d8a88p-10f);
  q = fma(q, f, 0x1.3b29f2p-7f);
  q = fma(q, f, 0x1.c6b08ap-5f);
  q = fma(q, f, 0x1.ebfbe0p-3f);
  q = fma(q, f, 0x1.62e430p-1f);
  return float_from_bits(bits_of(fma(q, f, 1.0f)) + (bits_of(shifted) << 23));
}

inline constexpr float round_shift = 0x1.8p23f;  // x + this ends in x's nearest integer

}  // namespace detail

/// 2 to the power of a logarithm where that is a normal number; anything elsewhere.
/// @param size about the logarithm.
CUIMG_HD inline float exp2_inside(const SplitLog& x, float size) {
  const float shifted = size + detail::round_shift;
  const float n = shifted - detail::round_shift;
  return detail::exp2_scaled(fma(x.s, x.c, x.exact - n) + x.low, shifted);
}
/// The same, a little closer for factors below 1/2: s * c is small then.
CUIMG_HD inline float exp2_inside_of_root(const SplitLog& x) {
  const float small = fma(x.s, x.c, x.low);
  const float shifted = (x.exact + small) + detail::round_shift;
  const float n = shifted - detail::round_shift;
  return detail::exp2_scaled((x.exact - n) + small, shifted);
}

/// 2^(x * scale + offset), infinite from 2^128 on, unspecified below 2^-126.
/// @param offset its high part has at most 16 bits.
CUIMG_HD inline float exp2_of_line(float x, FloatPair scale, FloatPair offset) {
  const float whole = fma(x, scale.high, offset.high);
  const float shifted = whole + detail::round_shift;
  const float n = shifted - detail::round_shift;
  // The fused product is small, so its single rounding is small too.
  const float f = fma(x, scale.high, offset.high - n) + fma(x, scale.low, offset.low);
  return select(whole < 128.0f, detail::exp2_scaled(f, shifted), float_from_bits(0x7f800000u));
}

/// p * log2(x) + offset, for x normal, finite and above 0.
CUIMG_HD inline float line_of_log2(float x, const LogFactor& p, FloatPair offset) {
  const SplitLog log = scaled_log2(x, p);
  const FloatPair sum = two_sum(log.exact, offset.high);
  return sum.high + fma(log.s, log.c, sum.low + (log.low + offset.low));
}

/// x^p for 0 < p < 1, best below 1/2: no finite x overflows. Values below 2^-126 count as 0;
/// infinity and NaN are preserved. x must not be negative.
CUIMG_HD inline float root_power(float x, const LogFactor& p) {
  const float inside = exp2_inside_of_root(scaled_log2(x, p));
  const float finite = select(x < 0x1p-126f, 0.0f, inside);
  return select(x < float_from_bits(0x7f800000u), finite, x);
}

/// x^p for p > 0 and x from 0 to 1. x and results below 2^-126 count as 0.
CUIMG_HD inline float power_to_one(float x, const LogFactor& p) {
  const SplitLog log = scaled_log2(x, p);
  const float size = log.exact + (log.product + log.low);
  return select((size < -126.0f) | (x < 0x1p-126f), 0.0f, exp2_inside(log, size));
}

/// x^p for p > 0. x and results below 2^-126 count as 0; infinity and NaN are preserved. x must not
/// be negative.
CUIMG_HD inline float power(float x, const LogFactor& p) {
  const SplitLog log = scaled_log2(x, p);
  const float size = log.exact + (log.product + log.low);
  float result = select(size < 128.0f, exp2_inside(log, size), float_from_bits(0x7f800000u));
  result = select((size < -126.0f) | (x < 0x1p-126f), 0.0f, result);
  return select(x < float_from_bits(0x7f800000u), result, x);
}

}  // namespace cuimg

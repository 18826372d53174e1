// SPDX-License-Identifier: Apache-2.0
// Transfer curves between stored (encoded) values and linear light, one value at a time.
// decode: stored to linear; encode: linear to stored. NaN gives the canonical NaN.
// kernels/color/log_curve.h contains logarithmic curves.
#pragma once

#include <cstdint>

#include "kernels/math/approx_log.h"
#include "kernels/math/math.h"
#include "kernels/math/platform.h"
#include "kernels/math/power.h"

namespace cuimg {

enum class TransferCurve : std::uint8_t { linear, srgb, rec709, gamma, pq, hlg };

/// A curve with its parameter.
struct Transfer {
  TransferCurve curve = TransferCurve::linear;
  float gamma = 2.2f;  ///< For TransferCurve::gamma: light = value ^ gamma; above 0.
  friend bool operator==(const Transfer&, const Transfer&) = default;
};

namespace detail {

/// f(|x|) with the sign of x: extends curves that are defined for x >= 0 to negative scene light.
template <class Function>
CUIMG_HD inline float mirrored(float x, Function f) {
  return canonical_nan(copysign(f(abs(x)), x));
}

}  // namespace detail

// sRGB, IEC 61966-2-1:1999. Mirrored for negative values, unbounded above.

CUIMG_HD inline float srgb_decode(float x) {
  return detail::mirrored(x, [](float v) {
    constexpr LogFactor exponent = log_factor(2.4);
    const float base = fma(v, static_cast<float>(1 / 1.055), static_cast<float>(0.055 / 1.055));
    return select(v <= 0.04045f, times(v, short_pair_of(1 / 12.92)), power(base, exponent));
  });
}
CUIMG_HD inline float srgb_encode(float x) {
  return detail::mirrored(x, [](float v) {
    constexpr LogFactor exponent = log_factor(1 / 2.4);
    const float root = root_power(v, exponent);
    // 1.055 root - 0.055, in a form that is exact at 1.
    return select(v <= 0.0031308f, 12.92f * v, fma(0.055f, root - 1.0f, root));
  });
}

// ITU-R BT.709-6 with the constants of BT.2020 at full precision (alpha and beta solve beta * 4.5 =
// alpha * beta^0.45 - (alpha - 1) with equal slopes), so that the two pieces meet and the curve has
// an inverse; within 0.0004 of the rounded 1.099 and 0.018. Mirrored.

CUIMG_HD inline float rec709_decode(float x) {
  return detail::mirrored(x, [](float v) {
    constexpr double alpha = 1.09929682680944;
    constexpr LogFactor exponent = log_factor(1 / 0.45);
    const float base =
        fma(v, static_cast<float>(1 / alpha), static_cast<float>((alpha - 1) / alpha));
    return select(v < static_cast<float>(4.5 * 0.018053968510807), times(v, short_pair_of(1 / 4.5)),
                  power(base, exponent));
  });
}
CUIMG_HD inline float rec709_encode(float x) {
  return detail::mirrored(x, [](float v) {
    constexpr double alpha = 1.09929682680944;
    constexpr LogFactor exponent = log_factor(0.45);
    const float root = root_power(v, exponent);
    return select(v < static_cast<float>(0.018053968510807), 4.5f * v,
                  fma(static_cast<float>(alpha - 1), root - 1.0f, root));
  });
}

// A plain power. Mirrored.

CUIMG_HD inline float mirrored_power(float x, const LogFactor& exponent) {
  return detail::mirrored(x, [&](float v) { return power(v, exponent); });
}
CUIMG_HD inline float mirrored_root(float x, const LogFactor& exponent) {
  return detail::mirrored(x, [&](float v) { return root_power(v, exponent); });
}
/// @param gamma above 0.
CUIMG_HD inline float gamma_decode(float x, float gamma) {
  const LogFactor exponent = log_factor(static_cast<double>(gamma));
  return gamma < 1.0f ? mirrored_root(x, exponent) : mirrored_power(x, exponent);
}
/// @param gamma above 0.
CUIMG_HD inline float gamma_encode(float x, float gamma) {
  const LogFactor exponent = log_factor(1 / static_cast<double>(gamma));
  return gamma > 1.0f ? mirrored_root(x, exponent) : mirrored_power(x, exponent);
}

// PQ, SMPTE ST 2084:2014. Linear 1 is 100 cd/m^2, so stored 1 is linear 100. Both directions clamp
// to the curve's domain, [0, 1] stored and [0, 100] linear.
// With w = 1 - N^(1/m2), and c1 = 1 - k, c2 = c3 + k, k = 0.1640625, the standard's quotients
// become
//   Y^m1 = (k - w) / (k + c3 w)  and  w = k (1 - Y^m1) / (1 + c3 Y^m1),
// which have no cancellation: in the standard's form float keeps at most 16 bits near white.

CUIMG_HD inline float pq_decode(float x) {
  constexpr float k = 0.1640625f, c3 = 18.6875f;
  constexpr LogFactor to_ln = log_factor(0.69314718055994531 / 78.84375);
  constexpr LogFactor exponent = log_factor(16384.0 / 2610.0);
  // Below 2^-20.4 (the value of 0^m1) the light is 0.
  const SplitLog log = scaled_log2(clamp(x, 0x1.85p-21f, 1.0f), to_ln);
  const float z = log.exact + (log.product + log.low);
  const float z_low = fma(log.s, log.c, log.exact - z) + log.low;
  float q = 0x1.548dbcp-10f;  // (e^z - 1 - z) / z^2 over [-0.19, 0]
  q = fma(q, z, 0x1.109770p-7f);
  q = fma(q, z, 0x1.555358p-5f);
  q = fma(q, z, 0x1.555552p-3f);
  q = fma(q, z, 0.5f);
  const float w = -(z + (z_low + z * z * q));
  // If w reaches k the light is 0; the power treats such small values as 0.
  const float ratio = quotient_short(clamp(k - w, 0.0f, k), fma(c3, w, k));
  const float light = 100.0f * power_to_one(ratio, exponent);
  return select(x != x, float_from_bits(canonical_nan_bits), light);
}
CUIMG_HD inline float pq_encode(float x) {
  constexpr float k = 0.1640625f, c3 = 18.6875f;
  constexpr LogFactor exponent = log_factor(2610.0 / 16384.0);
  constexpr FloatPair hundred = short_pair_of(-6.6438561897747247 * 2610.0 / 16384.0);
  const float light = clamp(x, 0.0f, 100.0f);
  SplitLog log = scaled_log2(light, exponent);  // of light / 100
  log.exact += hundred.high;
  log.low += hundred.low;
  const float power = select(light < 0x1p-126f, 0.0f, exp2_inside_of_root(log));
  // ln(1 - w) = -2 atanh(s), s = w / (2 - w).
  const float fall = k * (1.0f - power);
  const float s = fall / fma(2.0f, fma(c3, power, 1.0f), -fall);
  const float t = s * s;
  const float q = fma(fma(fma(0x1.275b64p-2f, t, 0x1.99976ep-2f), t, 0x1.555556p-1f), t, 2.0f);
  const float stored = exp2_of_line(-s * q, pair_of(78.84375 * 1.4426950408889634), {0.0f, 0.0f});
  return select(x != x, float_from_bits(canonical_nan_bits), stored);
}

// HLG, ITU-R BT.2100-2: the OETF, scene light in [0, 1] to signal. Mirrored, unbounded above.

CUIMG_HD inline float hlg_decode(float x) {
  return detail::mirrored(x, [](float v) {
    constexpr double a = 0.17883277, c = 0.55991072952956202;
    const float power = exp2_of_line(v, pair_of(1.4426950408889634 / a),
                                     short_pair_of(-c / a * 1.4426950408889634));
    const float upper = times(power + 0.28466892f, short_pair_of(1 / 12.0));
    const float lower = times(v * v, short_pair_of(1 / 3.0));
    return select(v <= 0.5f, lower, select(v != v, v, upper));
  });
}
CUIMG_HD inline float hlg_encode(float x) {
  return detail::mirrored(x, [](float v) {
    constexpr LogFactor scale = log_factor(0.17883277 * 0.69314718055994531);
    const float scaled = fma(12.0f, v, -0.28466892f);
    const float inside = line_of_log2(scaled, scale, pair_of(0.55991072952956202));
    const float upper = select(scaled < float_from_bits(0x7f800000u), inside, scaled);
    return select(v <= static_cast<float>(1.0 / 12), sqrt(3.0f * v), upper);
  });
}

/// Stored value to linear light. Linear copies the value, including NaN payloads.
CUIMG_HD inline float decode(Transfer transfer, float x) {
  switch (transfer.curve) {
    case TransferCurve::linear:
      return x;
    case TransferCurve::srgb:
      return srgb_decode(x);
    case TransferCurve::rec709:
      return rec709_decode(x);
    case TransferCurve::gamma:
      return gamma_decode(x, transfer.gamma);
    case TransferCurve::pq:
      return pq_decode(x);
    case TransferCurve::hlg:
      return hlg_decode(x);
  }
  return x;
}

/// Linear light to stored value. Linear copies the value, including NaN payloads.
CUIMG_HD inline float encode(Transfer transfer, float x) {
  switch (transfer.curve) {
    case TransferCurve::linear:
      return x;
    case TransferCurve::srgb:
      return srgb_encode(x);
    case TransferCurve::rec709:
      return rec709_encode(x);
    case TransferCurve::gamma:
      return gamma_encode(x, transfer.gamma);
    case TransferCurve::pq:
      return pq_encode(x);
    case TransferCurve::hlg:
      return hlg_encode(x);
  }
  return x;
}

}  // namespace cuimg

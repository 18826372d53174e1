// SPDX-License-Identifier: Apache-2.0
// Logarithmic curves of cameras and of film as per-pixel operations. They differ only in their
// numbers, so one operation and its inverse serve all of them.
#pragma once

#include "kernels/color/pixel_op.h"
#include "kernels/math/power.h"

namespace cuimg {

/// scale * log2(gain * x + lift) + offset for light above `cut`, where the logarithm's argument is
/// above 0; slope * x + base up to there.
struct LogCurve {
  double gain, lift, scale, offset, slope, base, cut;
  /// The value at which decoding changes from one piece to the other.
  double value_cut = slope * cut + base;
};

namespace detail {

/// A factor for times() that preserves infinity: no part of it is 0, and the smallest float does
/// not change any product.
CUIMG_HD constexpr FloatPair factor_of(double value) {
  const FloatPair pair = short_pair_of(value);
  return {pair.high, pair.low == 0.0f ? 0x1p-149f : pair.low};
}

}  // namespace detail

/// Light to a curve's values.
struct LogEncode {
  float gain = 1, lift = 0, slope = 1, base = 0, cut = 0;
  LogFactor scale;
  FloatPair offset;
  bool mirrors = false;  ///< Whether it is the curve of |x|, with the sign of x.
  std::uint8_t channels = 0;

  LogEncode() = default;
  constexpr LogEncode(const LogCurve& curve, std::uint8_t mask, bool mirrored = false)
      : gain(static_cast<float>(curve.gain)),
        lift(static_cast<float>(curve.lift)),
        slope(static_cast<float>(curve.slope)),
        base(static_cast<float>(curve.base)),
        cut(static_cast<float>(curve.cut)),
        scale(log_factor(curve.scale)),
        offset(pair_of(curve.offset)),
        mirrors(mirrored),
        channels(mask) {}

  CUIMG_HD float value(float light) const {
    const float x = select(mirrors, abs(light), light);
    const float lifted = fma(x, gain, lift);
    const float inside = line_of_log2(lifted, scale, offset);
    const float upper = select(lifted < float_from_bits(0x7f800000u), inside, lifted);
    const float made = select(x > cut, upper, fma(x, slope, base));
    return canonical_nan(select(mirrors, copysign(made, light), made));
  }
};

/// A curve's values to light.
struct LogDecode {
  FloatPair scale, offset;  ///< The exponent of the power.
  float lift = 0, base = 0, cut = 0;
  FloatPair per_gain, per_slope;
  bool mirrors = false;
  std::uint8_t channels = 0;

  LogDecode() = default;
  constexpr LogDecode(const LogCurve& curve, std::uint8_t mask, bool mirrored = false)
      : scale(pair_of(1 / curve.scale)),
        offset(short_pair_of(-curve.offset / curve.scale)),
        lift(static_cast<float>(curve.lift)),
        base(static_cast<float>(curve.base)),
        cut(static_cast<float>(curve.value_cut)),
        per_gain(detail::factor_of(1 / curve.gain)),
        per_slope(detail::factor_of(1 / curve.slope)),
        mirrors(mirrored),
        channels(mask) {}

  CUIMG_HD float value(float stored) const {
    const float x = select(mirrors, abs(stored), stored);
    const float upper = times(exp2_of_line(x, scale, offset) - lift, per_gain);
    const float made = select(x > cut, upper, times(x - base, per_slope));
    return canonical_nan(select(mirrors, copysign(made, stored), made));
  }
};

}  // namespace cuimg

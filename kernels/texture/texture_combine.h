// SPDX-License-Identifier: Apache-2.0
// How a linear read combines texels and weights, one channel at a time, in integers. Weights are of
// 256; a read of two slices (3D, mip levels) gives each its own exponent.
#pragma once

#include <cstdint>

#include "kernels/math/bits.h"
#include "kernels/math/half.h"
#include "kernels/math/platform.h"
#include "kernels/texture/texture.h"
#include "kernels/texture/texture_srgb.h"

namespace cuimg {
namespace detail {

/// Weights of the four texels of a slice whose share is `share` / 256: near x and near y, far x,
/// far y, far both. The two halves in x are split by y with opposite rounding, so the sum is
/// `share`.
CUIMG_HD constexpr void slice_weights(int fx, int fy, int share, int* weights) {
  const int far = (fx * share + 128) >> 8;
  const int near = share - far;
  weights[3] = (far * fy + 128) >> 8;
  weights[1] = far - weights[3];
  weights[2] = (near * fy + 127) >> 8;
  weights[0] = near - weights[2];
}

// Arithmetic shift to the right by any count, to the left by at most 3: aligns two slices.
CUIMG_HD constexpr std::int64_t shifted(std::int64_t value, int right) {
  if (right < 0) return value * (std::int64_t{1} << -right);
  return value >> (right < 63 ? right : 63);
}

/// `sum` in units of 2^unit, rounded to `precision` bits and no finer than 2^finest, halves away
/// from zero. `sum` must not be 0; below `smallest` the result is a zero of its sign.
CUIMG_HD inline float rounded_away(std::int64_t sum, int unit, int precision, int finest,
                                   double smallest) {
  std::uint64_t magnitude = sum < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(sum)
                                    : static_cast<std::uint64_t>(sum);
  int dropped = floor_log2(magnitude) - (precision - 1);
  dropped = dropped < finest - unit ? finest - unit : dropped;
  if (dropped > 0) magnitude = (magnitude + (std::uint64_t{1} << (dropped - 1))) >> dropped;
  const int exponent = dropped > 0 ? unit + dropped : unit;
  double value = static_cast<double>(magnitude) * power_of_two(exponent);
  value = value < smallest ? 0.0 : value;
  return static_cast<float>(sum < 0 ? -value : value);
}

/// The parts of a floating-point format. A finite texel is significand * 2^(exponent - fraction
/// bits); the unit truncates it to a multiple of 2^(largest exponent - fraction bits - 4).
template <class T>
struct FloatFormat;

template <>
struct FloatFormat<float> {
  static constexpr int fraction_bits = 23, bias = 127, smallest_exponent = -126;
  static constexpr int kept_bits = 27, precision = 24, finest = -149;
  static constexpr double smallest_result = 0x1p-126;  // denormal results are flushed
  static constexpr std::uint32_t nan = 0x7fffffff;
  // Denormal texels count as zero.
  CUIMG_HD static std::uint32_t magnitude(float texel) {
    const std::uint32_t bits = bits_of(texel) & 0x7fffffffu;
    return bits < 0x800000u ? 0 : bits;
  }
  CUIMG_HD static bool negative(float texel) { return bits_of(texel) >> 31; }
};

template <>
struct FloatFormat<Half> {
  static constexpr int fraction_bits = 10, bias = 15, smallest_exponent = -14;
  static constexpr int kept_bits = 14, precision = 11, finest = -24;
  static constexpr double smallest_result = 0;
  static constexpr std::uint32_t nan = 0x7fffe000;
  CUIMG_HD static std::uint32_t magnitude(Half texel) { return texel.bits & 0x7fffu; }
  CUIMG_HD static bool negative(Half texel) { return texel.bits >> 15; }
};

template <class T>
struct FloatSlice {
  using Format = FloatFormat<T>;
  int exponent = Format::smallest_exponent;
  std::int64_t sum = 0;  // in units of 2^(exponent - kept_bits - 8)

  CUIMG_HD static int exponent_of(std::uint32_t magnitude) {
    const int biased = static_cast<int>(magnitude >> Format::fraction_bits);
    return (biased == 0 ? 1 : biased) - Format::bias;
  }

  CUIMG_HD FloatSlice(const T* texels, const int* weights, int count) {
    for (int i = 0; i < count; ++i) {
      const int e = exponent_of(Format::magnitude(texels[i]));
      if (weights[i] > 0 && e > exponent) exponent = e;
    }
    constexpr std::uint32_t hidden = 1u << Format::fraction_bits;
    for (int i = 0; i < count; ++i) {
      if (weights[i] == 0) continue;
      const std::uint32_t magnitude = Format::magnitude(texels[i]);
      const std::uint32_t fraction = magnitude & (hidden - 1);
      const std::uint32_t significand = magnitude < hidden ? fraction : fraction | hidden;
      const int below = exponent - exponent_of(magnitude);
      const std::int64_t cut = below > 31 ? 0 : std::int64_t{significand} << 4 >> below;
      sum += weights[i] * (Format::negative(texels[i]) ? -cut : cut);
    }
  }
};

/// Float and half.
template <int slices, class T>
CUIMG_HD inline float combined_float(const T* texels, const int* weights, int per_slice) {
  using Format = FloatFormat<T>;
  constexpr std::uint32_t infinity = static_cast<std::uint32_t>(2 * Format::bias + 1)
                                     << Format::fraction_bits;
  bool nan = false, positive_infinity = false, negative_infinity = false, negative_zeros = true;
  for (int i = 0; i < slices * per_slice; ++i) {
    const std::uint32_t magnitude = Format::magnitude(texels[i]);
    const bool negative = Format::negative(texels[i]);
    nan = nan || magnitude > infinity;
    positive_infinity = positive_infinity || (magnitude == infinity && !negative);
    negative_infinity = negative_infinity || (magnitude == infinity && negative);
    negative_zeros = negative_zeros && magnitude == 0 && negative;
  }
  if (nan || (positive_infinity && negative_infinity)) return float_from_bits(Format::nan);
  if (positive_infinity) return float_from_bits(0x7f800000u);
  if (negative_infinity) return float_from_bits(0xff800000u);

  const FloatSlice<T> first(texels, weights, per_slice);
  std::int64_t sum = first.sum;
  int unit = first.exponent - Format::kept_bits - 8;
  if constexpr (slices == 2) {
    const FloatSlice<T> second(texels + per_slice, weights + per_slice, per_slice);
    const int larger = first.exponent > second.exponent ? first.exponent : second.exponent;
    const int extra = (larger + Format::bias) & 3;
    sum = shifted(first.sum, larger - first.exponent - extra) +
          shifted(second.sum, larger - second.exponent - extra);
    unit = larger - Format::kept_bits - 8 - extra;
  }
  if (sum == 0) return negative_zeros ? -0.0f : 0.0f;
  return rounded_away(sum, unit, Format::precision, Format::finest, Format::smallest_result);
}

}  // namespace detail

/// One channel of a linear read. All given texels are part of it: a texel whose axis has fraction 0
/// repeats its neighbour.
template <int slices>
CUIMG_HD inline float combine(const float* texels, const int* weights, int per_slice, int) {
  return detail::combined_float<slices>(texels, weights, per_slice);
}

template <int slices>
CUIMG_HD inline float combine(const Half* texels, const int* weights, int per_slice, int) {
  return detail::combined_float<slices>(texels, weights, per_slice);
}

template <int slices>
CUIMG_HD inline float combine(const std::uint16_t* texels, const int* weights, int per_slice, int) {
  int sum = 128;
  for (int i = 0; i < slices * per_slice; ++i) sum += weights[i] * texels[i];
  return static_cast<float>(sum >> 8) / 65535.0f;
}

/// 8 bits are widened to 16 first, so filtering has 16 bits of precision and no more.
template <int slices>
CUIMG_HD inline float combine(const std::uint8_t* texels, const int* weights, int per_slice, int) {
  int sum = 0;
  for (int i = 0; i < slices * per_slice; ++i) sum += weights[i] * texels[i];
  return static_cast<float>((sum * 257 + 128) >> 8) / 65535.0f;
}

template <int slices>
CUIMG_HD inline float combine(const std::int16_t* texels, const int* weights, int per_slice, int) {
  int sum = 128;
  for (int i = 0; i < slices * per_slice; ++i)
    sum += weights[i] * (texels[i] < -32767 ? -32767 : texels[i]);
  return static_cast<float>(sum >> 8) / 32767.0f;
}

/// Signed bytes are not widened before weighting, and -128 is kept until the end.
template <int slices>
CUIMG_HD inline float combine(const std::int8_t* texels, const int* weights, int per_slice, int) {
  int sum = 0;
  for (int i = 0; i < slices * per_slice; ++i) sum += weights[i] * texels[i];
  const int widened = sum + (((sum >> 4) * 257 + 1024) >> 11);
  return static_cast<float>(widened < -32767 ? -32767 : widened) / 32767.0f;
}

/// Codes in blocks with different scales are truncated to the coarsest scale that has a weight.
template <int slices>
CUIMG_HD inline float combine(const Srgb8* texels, const int* weights, int per_slice, int channel) {
  if (channel == 3) {
    std::uint8_t alpha[8] = {};
    for (int i = 0; i < slices * per_slice; ++i) alpha[i] = texels[i].code;
    return combine<slices>(alpha, weights, per_slice, channel);
  }
  int coarsest = 0;
  for (int i = 0; i < slices * per_slice; ++i) {
    const int scale = srgb_scale(texels[i].code);
    if (weights[i] > 0 && scale > coarsest) coarsest = scale;
  }
  std::int64_t sum = 0;
  for (int i = 0; i < slices * per_slice; ++i) {
    if (weights[i] == 0) continue;
    const int code = texels[i].code;
    sum += weights[i] * (srgb_significand(code) << srgb_scale(code) >> coarsest);
  }
  if (sum == 0) return 0.0f;
  return detail::rounded_away(sum, coarsest - 22, 11, -24, 0);
}

/// The result of a point read for one channel.
CUIMG_HD inline float decoded(float texel, int) { return texel; }
CUIMG_HD inline float decoded(Half texel, int) { return half_to_float(texel); }
CUIMG_HD inline float decoded(std::uint8_t texel, int) { return texel / 255.0f; }
CUIMG_HD inline float decoded(std::uint16_t texel, int) { return texel / 65535.0f; }
CUIMG_HD inline float decoded(std::int8_t texel, int) {
  return (texel < -127 ? -127 : texel) / 127.0f;
}
CUIMG_HD inline float decoded(std::int16_t texel, int) {
  return (texel < -32767 ? -32767 : texel) / 32767.0f;
}
CUIMG_HD inline float decoded(Srgb8 texel, int channel) {
  if (channel == 3) return texel.code / 255.0f;
  return static_cast<float>(srgb_significand(texel.code) << srgb_scale(texel.code)) * 0x1p-14f;
}

namespace detail {

// Truncated toward zero to four fraction bits more than the code's magnitude has, then rounded to a
// code, ties toward zero: exact for 8,000 colours of each format on an H200.
CUIMG_HD inline int quantized_border(float value, bool is_signed, int largest, double parts) {
  const double v = value == value ? value : 0.0f;
  double magnitude = v < 0.0 ? -v : v;
  magnitude = v < 0.0 && !is_signed ? 0.0 : magnitude > 1.0 ? 1.0 : magnitude;
  const double cut = __builtin_floor(magnitude * parts) / parts;
  const int code = static_cast<int>(-__builtin_floor(0.5 - cut * largest));
  return v < 0.0 ? -code : code;
}

}  // namespace detail

/// Stores one channel of the border colour in the texture's format.
CUIMG_HD inline void encode_border(float value, float& texel) { texel = value; }
CUIMG_HD inline void encode_border(float value, Half& texel) {
  texel = float_to_half_truncated(value);
}
CUIMG_HD inline void encode_border(float value, std::uint8_t& texel) {
  texel = static_cast<std::uint8_t>(detail::quantized_border(value, false, 255, 0x1p12));
}
CUIMG_HD inline void encode_border(float value, std::uint16_t& texel) {
  texel = static_cast<std::uint16_t>(detail::quantized_border(value, false, 65535, 0x1p20));
}
CUIMG_HD inline void encode_border(float value, std::int8_t& texel) {
  texel = static_cast<std::int8_t>(detail::quantized_border(value, true, 127, 0x1p11));
}
CUIMG_HD inline void encode_border(float value, std::int16_t& texel) {
  texel = static_cast<std::int16_t>(detail::quantized_border(value, true, 32767, 0x1p19));
}
CUIMG_HD inline void encode_border(float value, Srgb8& texel) { encode_border(value, texel.code); }

}  // namespace cuimg

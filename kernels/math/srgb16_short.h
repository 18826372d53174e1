// SPDX-License-Identifier: Apache-2.0
// sRGB codes of 16 bits to and from light, the same values as in srgb_tables.h, for a card: there a
// short power is faster than random reads of large tables. The power has an error of some units in
// the last place. Decoding corrects it by a stored correction of four bits per code; encoding
// compares with the nearby threshold, which is only needed for light close to one.
#pragma once

#include <cstdint>

#include "kernels/math/math.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// Filled on the host (lib/image/srgb_tables.h).
struct Srgb16Short {
  static constexpr int corrections_in_word = 8;
  static constexpr int no_correction = 8;

  float decode_scale[8];   ///< 2^(2.4 (i - 7)), for exponents from -7 to 0.
  float encode_scale[16];  ///< 65535 * 1.055 * 2^((i - 15) / 2.4), for exponents from -15 to 0.
  std::uint32_t corrections[65536 / corrections_in_word];
};

namespace detail {

/// x = 2^exponent * (1.5 + beyond), for positive normal x.
struct PowerParts {
  int exponent;
  float beyond;
};
CUIMG_HD inline PowerParts power_parts(float x) {
  const std::uint32_t bits = bits_of(x);
  return {static_cast<int>(bits >> 23) - 127,
          float_from_bits((bits & 0x7fffffu) | 0x3f800000u) - 1.5f};
}

/// A code's light, with an error of a few units in the last place.
CUIMG_HD inline float srgb16_near_light(std::uint32_t code, const float* decode_scale) {
  constexpr std::uint32_t last_linear = 2650;  // from 65535 * 0.04045
  const auto value = static_cast<float>(code);
  const PowerParts c = power_parts(fma(value, 1 / (1.055f * 65535.0f), 0.055f / 1.055f));
  // The minimax fit of (1.5 + t)^2.4 over [-1/2, 1/2], relative error 2.2e-8.
  float p = -0x1.49a970p-10f;
  p = fma(p, c.beyond, 0x1.002326p-8f);
  p = fma(p, c.beyond, -0x1.1ef2c2p-6f);
  p = fma(p, c.beyond, 0x1.67a5b0p-3f);
  p = fma(p, c.beyond, 0x1.f9ce9ap+0f);
  p = fma(p, c.beyond, 0x1.0ef7f8p+2f);
  p = fma(p, c.beyond, 0x1.52b5f4p+1f);
  return select(code <= last_linear, value * (1 / (12.92f * 65535.0f)),
                p * decode_scale[c.exponent + 7]);
}

/// Light as a fractional code, with an error under 1/50. @param light from 0 to 1.
CUIMG_HD inline float srgb16_near_code(float light, const float* encode_scale) {
  constexpr float last_linear = 0.0031308f;
  const PowerParts x = power_parts(select(light <= last_linear, last_linear, light));
  // The minimax fit of (1.5 + t)^(1/2.4) over [-1/2, 1/2], relative error 2.4e-8.
  float p = 0x1.9a39b6p-10f;
  p = fma(p, x.beyond, -0x1.679918p-9f);
  p = fma(p, x.beyond, 0x1.2a5de4p-8f);
  p = fma(p, x.beyond, -0x1.3b6c1cp-7f);
  p = fma(p, x.beyond, 0x1.70c9d6p-6f);
  p = fma(p, x.beyond, -0x1.05f772p-4f);
  p = fma(p, x.beyond, 0x1.50cc1cp-2f);
  p = fma(p, x.beyond, 0x1.2f1e24p+0f);
  return select(light <= last_linear, light * (12.92f * 65535.0f),
                fma(p, encode_scale[x.exponent + 15], -0.055f * 65535.0f));
}

}  // namespace detail

/// Equals srgb16_to_linear() of the tables.
CUIMG_HD inline float srgb16_to_linear(const Srgb16Short& tables, std::uint32_t code) {
  const std::uint32_t word = tables.corrections[code / Srgb16Short::corrections_in_word];
  const std::uint32_t shift = 4 * (code % Srgb16Short::corrections_in_word);
  const std::uint32_t correction = (word >> shift & 15u) - Srgb16Short::no_correction;
  return float_from_bits(bits_of(detail::srgb16_near_light(code, tables.decode_scale)) +
                         correction);
}

/// Equals linear_to_srgb16() of the tables. @param thresholds Srgb16Tables::thresholds.
CUIMG_HD inline std::uint32_t linear_to_srgb16(const Srgb16Short& tables, const float* thresholds,
                                               float light) {
  const float inside = clamp(light, 0.0f, 1.0f);
  const float near = detail::srgb16_near_code(inside, tables.encode_scale);
  const float rounded = near + 0x1p23f;
  const std::uint32_t code = bits_of(rounded) & 0xffffu;
  const float beyond = near - (rounded - 0x1p23f);
  if (abs(beyond) < 0.47f) return code;
  // Halfway to the next code or to the previous one.
  const std::uint32_t upper = code + static_cast<std::uint32_t>(beyond > 0);
  return upper - static_cast<std::uint32_t>(inside < thresholds[upper]);
}

}  // namespace cuimg

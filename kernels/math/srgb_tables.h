// SPDX-License-Identifier: Apache-2.0
// sRGB codes to and from linear light, exact in both directions. Decoding gives the float nearest
// to the standard's value. Encoding is defined by thresholds: the code is the number of thresholds
// at or below the light, where threshold j = decode((j - 1/2) / codes) in exact numbers. So
// encoding gives the correctly rounded code, is monotonic, and is the inverse of decoding.
// Plain arrays that are filled on the host (lib/image/srgb_tables.h) and copied to the card.
#pragma once

#include <cstdint>

#include "kernels/math/exp_log.h"
#include "kernels/math/math.h"
#include "kernels/math/platform.h"
#include "kernels/math/quantize.h"

namespace cuimg {

struct Srgb8Tables {
  // Buckets of 2^-7 octaves from 2^-13 (below the first threshold, 1/6588) to 1.
  static constexpr std::uint32_t first_bucket = 0x39000000u >> 16;
  static constexpr std::uint32_t buckets = (0x3f800000u >> 16) - first_bucket + 1;

  float decode[256];
  /// The code at the bucket's start times 2^16, plus 2^16 minus the low 16 bits of the only
  /// threshold in the bucket (plus 0 if there is none): adding a float's low bits carries into the
  /// code exactly when it reaches the threshold.
  std::uint32_t encode[buckets];
};

struct Srgb16Tables {
  float decode[65536];
  /// thresholds[k]: the smallest float whose code is k; the ends are -infinity and infinity.
  float thresholds[65537];
};

CUIMG_HD inline float srgb8_to_linear(const Srgb8Tables& tables, std::uint8_t code) {
  return tables.decode[code];
}
/// The steps of linear_to_srgb8(): the float's bits, its bucket, and its code by the bucket's
/// entry.
CUIMG_HD inline std::uint32_t srgb8_light_bits(float light) {
  return bits_of(clamp(light, 0x1p-13f, 1.0f));
}
CUIMG_HD inline std::uint32_t srgb8_bucket(std::uint32_t bits) {
  return (bits >> 16) - Srgb8Tables::first_bucket;
}
CUIMG_HD inline std::uint8_t srgb8_code(std::uint32_t entry, std::uint32_t bits) {
  return static_cast<std::uint8_t>((entry + (bits & 0xffffu)) >> 16);
}
/// The nearest code for linear light, clamped; NaN gives 0. @param encode Srgb8Tables::encode.
CUIMG_HD inline std::uint8_t linear_to_srgb8(const std::uint32_t* encode, float light) {
  const std::uint32_t bits = srgb8_light_bits(light);
  return srgb8_code(encode[srgb8_bucket(bits)], bits);
}
CUIMG_HD inline std::uint8_t linear_to_srgb8(const Srgb8Tables& tables, float light) {
  return linear_to_srgb8(tables.encode, light);
}

CUIMG_HD inline float srgb16_to_linear(const Srgb16Tables& tables, std::uint16_t code) {
  return tables.decode[code];
}
/// The nearest code for linear light, clamped; NaN gives 0.
CUIMG_HD inline std::uint16_t linear_to_srgb16(const Srgb16Tables& tables, float light) {
  // The polynomial's error is a twentieth of a code, so one step in either direction corrects it.
  const float inside = clamp(light, 0.0f, 1.0f);
  const float power = exp2_pair({log2_pair(max(inside, 0x1p-20f)).high * (1 / 2.4f), 0.0f});
  const float encoded = select(inside <= 0.0031308f, 12.92f * inside, fma(1.055f, power, -0.055f));
  const std::uint32_t estimate = detail::quantize(encoded, 65535.0f);
  const bool above = inside >= tables.thresholds[estimate + 1];
  const bool below = inside < tables.thresholds[estimate];
  return static_cast<std::uint16_t>(estimate + static_cast<std::uint32_t>(above) -
                                    static_cast<std::uint32_t>(below));
}

}  // namespace cuimg

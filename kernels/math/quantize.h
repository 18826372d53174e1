// SPDX-License-Identifier: Apache-2.0
// Converts between stored integers and the floats they represent, and between straight and
// premultiplied alpha. Curves are in transfer.h, sRGB's tables in srgb_tables.h.
#pragma once

#include <cstdint>

#include "kernels/math/math.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// v / 255, correctly rounded.
CUIMG_HD inline float unorm8_to_float(std::uint8_t v) { return static_cast<float>(v) / 255.0f; }
/// v / 65535, correctly rounded.
CUIMG_HD inline float unorm16_to_float(std::uint16_t v) { return static_cast<float>(v) / 65535.0f; }

namespace detail {
/// round(clamp(v, 0, 1) * scale), NaN as 0. The fused sum with 2^23 rounds the exact product once,
/// to an integer, ties to even; rounding the product to float first would move some ties.
CUIMG_HD inline std::uint32_t quantize(float v, float scale) {
  return bits_of(fma(clamp(v, 0.0f, 1.0f), scale, 0x1p23f)) & 0xffffu;
}
}  // namespace detail

/// The exact product v * 255, rounded to the nearest, ties to even; clamped, NaN gives 0.
CUIMG_HD inline std::uint8_t float_to_unorm8(float v) {
  return static_cast<std::uint8_t>(detail::quantize(v, 255.0f));
}
/// The exact product v * 65535, rounded to the nearest, ties to even; clamped, NaN gives 0.
CUIMG_HD inline std::uint16_t float_to_unorm16(float v) {
  return static_cast<std::uint16_t>(detail::quantize(v, 65535.0f));
}

/// The nearest float.
CUIMG_HD inline float uint32_to_float(std::uint32_t v) { return static_cast<float>(v); }
/// To the nearest, ties to even, saturating; NaN gives 0.
CUIMG_HD inline std::uint32_t float_to_uint32(float v) {
  const float whole = clamp(round_even(v), 0.0f, 0x1.fffffep31f);
  return select(v >= 0x1p32f, 0xffffffffu, static_cast<std::uint32_t>(whole));
}

/// A colour channel multiplied by alpha.
CUIMG_HD inline float premultiply(float color, float alpha) { return canonical_nan(color * alpha); }
/// A colour channel divided by alpha; alpha 0 leaves it unchanged.
CUIMG_HD inline float unpremultiply(float color, float alpha) {
  const float divisor = select(alpha == 0.0f, 1.0f, alpha);
  return select(alpha == 0.0f, color, canonical_nan(color / divisor));
}

}  // namespace cuimg

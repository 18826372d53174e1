// SPDX-License-Identifier: Apache-2.0
// Converts one stored value to a working value (linear light, float) and back. Row loops and CUDA
// kernels may arrange the work differently, but their results must equal these functions.
#pragma once

#include <cstdint>

#include "kernels/color/transfer.h"
#include "kernels/math/half.h"
#include "kernels/math/platform.h"
#include "kernels/math/quantize.h"
#include "kernels/math/srgb_tables.h"

namespace cuimg {

/// The relation of a file's colour to working values.
struct Encoding {
  Transfer transfer;            ///< The curve on all channels except alpha.
  int alpha_index = -1;         ///< The index of alpha, or -1.
  bool straight_alpha = false;  ///< Stored colour is not premultiplied.
};

/// The tables; a pointer is null if no integer type of that size is sRGB.
struct ColorTables {
  const Srgb8Tables* srgb8 = nullptr;
  const Srgb16Tables* srgb16 = nullptr;
};

// A stored value without a curve (alpha, raw data), to float and back.

CUIMG_HD inline float stored_to_float(std::uint8_t v) { return unorm8_to_float(v); }
CUIMG_HD inline float stored_to_float(std::uint16_t v) { return unorm16_to_float(v); }
CUIMG_HD inline float stored_to_float(Half v) { return half_to_float(v); }
CUIMG_HD inline float stored_to_float(float v) { return v; }
CUIMG_HD inline float stored_to_float(std::uint32_t v) { return uint32_to_float(v); }

CUIMG_HD inline void float_to_stored(float v, std::uint8_t& stored) { stored = float_to_unorm8(v); }
CUIMG_HD inline void float_to_stored(float v, std::uint16_t& stored) {
  stored = float_to_unorm16(v);
}
CUIMG_HD inline void float_to_stored(float v, Half& stored) { stored = float_to_half(v); }
CUIMG_HD inline void float_to_stored(float v, float& stored) { stored = v; }
CUIMG_HD inline void float_to_stored(float v, std::uint32_t& stored) {
  stored = float_to_uint32(v);
}

// A colour value to light and back. Integers in sRGB use the exact tables. Ids (u32) have no curve.

template <class Stored>
CUIMG_HD inline float stored_to_light(Stored v, Transfer transfer, const ColorTables&) {
  return decode(transfer, stored_to_float(v));
}
CUIMG_HD inline float stored_to_light(std::uint8_t v, Transfer transfer,
                                      const ColorTables& tables) {
  if (transfer.curve == TransferCurve::srgb) return srgb8_to_linear(*tables.srgb8, v);
  return decode(transfer, stored_to_float(v));
}
CUIMG_HD inline float stored_to_light(std::uint16_t v, Transfer transfer,
                                      const ColorTables& tables) {
  if (transfer.curve == TransferCurve::srgb) return srgb16_to_linear(*tables.srgb16, v);
  return decode(transfer, stored_to_float(v));
}
CUIMG_HD inline float stored_to_light(std::uint32_t v, Transfer, const ColorTables&) {
  return stored_to_float(v);
}

template <class Stored>
CUIMG_HD inline void light_to_stored(float light, Transfer transfer, const ColorTables&,
                                     Stored& stored) {
  float_to_stored(encode(transfer, light), stored);
}
CUIMG_HD inline void light_to_stored(float light, Transfer transfer, const ColorTables& tables,
                                     std::uint8_t& stored) {
  if (transfer.curve == TransferCurve::srgb)
    stored = linear_to_srgb8(*tables.srgb8, light);
  else
    float_to_stored(encode(transfer, light), stored);
}
CUIMG_HD inline void light_to_stored(float light, Transfer transfer, const ColorTables& tables,
                                     std::uint16_t& stored) {
  if (transfer.curve == TransferCurve::srgb)
    stored = linear_to_srgb16(*tables.srgb16, light);
  else
    float_to_stored(encode(transfer, light), stored);
}
CUIMG_HD inline void light_to_stored(float light, Transfer, const ColorTables&,
                                     std::uint32_t& stored) {
  float_to_stored(light, stored);
}

namespace detail {

/// v[index] by masks: a compiler would turn comparisons back into an indexed load, but this way a
/// card keeps the pixel in registers.
CUIMG_HD inline float channel_of(const float* v, int channels, int index) {
  float value = 0;
  for (int c = 0; c < 4; ++c)
    if (c < channels) value = select(c == index, v[c], value);
  return value;
}

}  // namespace detail

}  // namespace cuimg

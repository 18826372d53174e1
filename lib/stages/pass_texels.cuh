// SPDX-License-Identifier: Apache-2.0
// What a pass reads and writes on a card: texels of any type, or four floats as they are.
#pragma once

#include "image/srgb_tables.h"
#include "stages/cuda_words.cuh"
#include "stages/pixel_pass.h"

namespace cuimg {

// A channel of a texel in registers; c is a constant once loops are unrolled.
template <class Stored>
__device__ Stored channel_of(const TexelWords& texel, int c) {
  constexpr int per_word = 4 / sizeof(Stored);
  const std::uint32_t word = texel.word[c / per_word] >> (8 * sizeof(Stored) * (c % per_word));
  if constexpr (sizeof(Stored) == 4)
    return __builtin_bit_cast(Stored, word);
  else if constexpr (sizeof(Stored) == 2)
    return __builtin_bit_cast(Stored, static_cast<std::uint16_t>(word));
  else
    return static_cast<Stored>(word);
}

template <class Stored>
__device__ void set_channel(TexelWords& texel, int c, Stored value) {
  constexpr int per_word = 4 / sizeof(Stored);
  std::uint32_t word;
  if constexpr (sizeof(Stored) == 4)
    word = __builtin_bit_cast(std::uint32_t, value);
  else if constexpr (sizeof(Stored) == 2)
    word = __builtin_bit_cast(std::uint16_t, value);
  else
    word = value;
  texel.word[c / per_word] |= word << (8 * sizeof(Stored) * (c % per_word));
}

// Texels of any type as floats; integers in sRGB as light, by the exact tables. Other curves and
// alpha are operations.
struct TypedTexels {
  PixelForm form;
  ColorTables tables;
  Rect covered;
  ByteRows rows;

  template <class Stored>
  __device__ void load_as(const TexelWords& texel, float* v) const {
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      const Stored stored = channel_of<Stored>(texel, c);
      const bool is_light = c < form.shape.channels && c != form.encoding.alpha_index;
      v[c] = stored_to_float(stored);
      if constexpr (std::is_same_v<Stored, std::uint8_t>)
        if (tables.srgb8 && is_light) v[c] = srgb8_to_linear(*tables.srgb8, stored);
      if constexpr (std::is_same_v<Stored, std::uint16_t>)
        if (tables.srgb16 && is_light) v[c] = srgb16_to_linear(*tables.srgb16, stored);
    }
  }
  struct Row {
    const TypedTexels& texels;
    int y;
    __device__ void load(int x, float* v) const {
      if (contains(texels.covered, x, y)) texels.load(texels.rows.words(x, y), v);
    }
  };
  __device__ Row row(int y) const { return {*this, y}; }

 private:
  __device__ void load(const TexelWords& texel, float* v) const {
    switch (static_cast<PixelType>(form.type)) {
      case PixelType::u8:
        return load_as<std::uint8_t>(texel, v);
      case PixelType::u16:
        return load_as<std::uint16_t>(texel, v);
      case PixelType::half:
        return load_as<Half>(texel, v);
      case PixelType::f32:
        return load_as<float>(texel, v);
      case PixelType::u32:
        return load_as<std::uint32_t>(texel, v);
    }
  }
};

// Floats to texels of any type, likewise.
template <class Target>
struct TypedTarget {
  PixelForm form;
  ColorTables tables;
  Target target;

  template <class Stored>
  __device__ void encode(const float* v, TexelWords& texel) const {
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      if (c >= form.shape.channels) continue;
      const bool is_light = c != form.encoding.alpha_index;
      Stored stored = {};
      float_to_stored(v[c], stored);
      if constexpr (std::is_same_v<Stored, std::uint8_t>)
        if (tables.srgb8 && is_light) stored = linear_to_srgb8(*tables.srgb8, v[c]);
      if constexpr (std::is_same_v<Stored, std::uint16_t>)
        if (tables.srgb16 && is_light) stored = linear_to_srgb16(*tables.srgb16, v[c]);
      set_channel(texel, c, stored);
    }
  }
  struct Row {
    const TypedTarget& texels;
    Rect region;
    int y;
    __device__ void store(int x, const float* v) const {
      if (contains(region, x, y)) texels.store(x, y, v);
    }
  };
  /// @param part of the target that is written.
  __device__ Row row(int y, const Rect& part) const { return {*this, part, y}; }

 private:
  __device__ void store(int x, int y, const float* v) const {
    TexelWords texel = {};
    switch (static_cast<PixelType>(form.type)) {
      case PixelType::u8:
        encode<std::uint8_t>(v, texel);
        break;
      case PixelType::u16:
        encode<std::uint16_t>(v, texel);
        break;
      case PixelType::half:
        encode<Half>(v, texel);
        break;
      case PixelType::f32:
        encode<float>(v, texel);
        break;
      case PixelType::u32:
        encode<std::uint32_t>(v, texel);
        break;
    }
    target.store(x, y, texel);
  }
};

// Four floats as they are: what most passes between stages read and write. A row is found once for
// all of a thread's pixels, which then cost a comparison and an access each.
struct FloatTexels {
  Rect covered;
  ByteRows rows;

  struct Row {
    char* first;  ///< Of the columns from `left` on, so many:
    int left;
    unsigned width;
    __device__ bool holds(int x) const { return static_cast<unsigned>(x - left) < width; }
    __device__ float4* texel(int x) const { return reinterpret_cast<float4*>(first) + (x - left); }
    __device__ void load(int x, float* v) const {
      if (!holds(x)) return;
      const float4 texel_at = __ldcs(texel(x));
      v[0] = texel_at.x, v[1] = texel_at.y, v[2] = texel_at.z, v[3] = texel_at.w;
    }
    __device__ void store(int x, const float* v) const {
      if (holds(x)) __stcs(texel(x), make_float4(v[0], v[1], v[2], v[3]));
    }
  };
  __device__ Row row(int y) const { return row(y, covered); }
  __device__ Row row(int y, const Rect& part) const {
    const bool inside = y >= part.y && y < part.y + part.height;
    return {rows.texel(part.x, y), part.x, inside ? static_cast<unsigned>(part.width) : 0u};
  }
};

}  // namespace cuimg

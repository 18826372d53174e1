// SPDX-License-Identifier: Apache-2.0
// Converts texels of four channels of 8 bits, 16 bits or half to floats and back. All channels are
// converted together, which gives the results of the definitions in kernels/ in far fewer
// instructions. Alpha, if there is one, is the fourth channel.
#pragma once

#include <cstdint>

#include "kernels/color/encoding.h"
#include "kernels/math/srgb16_short.h"
#include "stages/pass/stored_texels.cuh"

namespace cuimg {

/// The meaning of the codes of 8-bit texels.
struct ByteCodes {
  float light[256];                          ///< The light of a colour's code.
  std::uint32_t srgb[Srgb8Tables::buckets];  ///< codes_of_bits().
};

/// The tables that texels need: in the block's shared memory, except for the last.
struct TexelTables {
  const ByteCodes* bytes = nullptr;
  const Srgb16Short* shorts = nullptr;
  const float* thresholds = nullptr;  ///< Srgb16Tables::thresholds.
};

/// canonical_nan() of what arithmetic has made: a card's NaN is then 0x7fffffff, the largest int.
__device__ inline float canonical_result(float x) {
#if defined(__CUDA_ARCH__)
  return __int_as_float(min(__float_as_int(x), static_cast<int>(canonical_nan_bits)));
#else
  return canonical_nan(x);
#endif
}

/// @name Premultiply and Unpremultiply of pixels whose fourth value is alpha, the same bytes. @{
__device__ inline void premultiply_colors(float* v) {
#pragma unroll
  for (int c = 0; c < 3; ++c) v[c] = canonical_result(v[c] * v[3]);
}
/// @returns false if a division is necessary.
__device__ inline bool unpremultiply_colors(float (&v)[4]) {
  bool plain = detail::divides_plainly(v);
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    // Nothing, or so much that its quotient's remainder is exact. Twice its bits have no sign.
    const std::uint32_t bits = bits_of(v[c]);
    plain = plain && bits + bits - 2u >= 2u * (bits_of(0x1p-40f) - 1u);
  }
  if (!plain) return false;
  const float reciprocal = detail::reciprocal_of(v[3]);
#pragma unroll
  for (int c = 0; c < 3; ++c) v[c] = detail::divided(v[c], v[3], reciprocal);
  return true;
}
/// @}

/// @name Conversions of several texels to floats, and floats to texels. @{

/// For a store as integers. @param straight whether colours are divided by alpha.
template <int count>
__device__ inline void within_one(Pixel<4> (&pixels)[count], bool straight) {
  if (straight)
    detail::divide_within_one<false>(pixels);
  else
    detail::all_within_one(pixels);
}

struct ByteTexel {
  using Word = std::uint32_t;
  /// @param has_alpha whether the fourth value has no curve. @param straight whether colours are
  /// multiplied by alpha.
  __device__ static void load(Word word, const ByteCodes& codes, bool has_alpha, bool straight,
                              float* v) {
#pragma unroll
    for (int c = 0; c < 3; ++c) v[c] = codes.light[word >> (8 * c) & 255u];
    const std::uint32_t last = word >> 24;
    v[3] = has_alpha ? detail::code_to_float<255>(static_cast<int>(last)) : codes.light[last];
    if (!straight) return;
#pragma unroll
    for (int c = 0; c < 3; ++c) v[c] *= v[3];
  }
  /// @param srgb whether colours have sRGB's curve, otherwise none.
  template <int count>
  __device__ static void store(Pixel<4> (&pixels)[count], const ByteCodes& codes, bool srgb,
                               bool has_alpha, bool straight, Word (&words)[count]) {
    within_one(pixels, straight);
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const float* const v = pixels[i].v;
      std::uint32_t colors[3];
      if (!srgb) {
#pragma unroll
        for (int c = 0; c < 3; ++c) colors[c] = detail::unorm8_sum_within(v[c]);
        words[i] = detail::four_bytes<false>(colors, detail::unorm8_sum_within(v[3]));
      } else {
#pragma unroll
        for (int c = 0; c < 3; ++c) colors[c] = detail::srgb8_sum_within(codes.srgb, v[c]);
        words[i] = detail::four_bytes<true>(
            colors, has_alpha ? detail::unorm8_sum_within(v[3])
                              : detail::srgb8_sum_within(codes.srgb, v[3]) >> 16);
      }
    }
  }
};

struct ShortTexel {
  using Word = uint2;
  /// @param srgb whether colours have sRGB's curve, otherwise none.
  __device__ static void load(const Word& word, const TexelTables& tables, bool srgb,
                              bool has_alpha, bool straight, float* v) {
    const std::uint32_t code[4] = {word.x & 0xffffu, word.x >> 16, word.y & 0xffffu, word.y >> 16};
#pragma unroll
    for (int c = 0; c < 4; ++c)
      v[c] = srgb && (c < 3 || !has_alpha)
                 ? srgb16_to_linear(*tables.shorts, code[c])
                 : detail::code_to_float<65535>(static_cast<int>(code[c]));
    if (!straight) return;
#pragma unroll
    for (int c = 0; c < 3; ++c) v[c] *= v[3];
  }
  /// @param srgb whether colours have sRGB's curve, otherwise none.
  template <int count>
  __device__ static void store(Pixel<4> (&pixels)[count], const TexelTables& tables, bool srgb,
                               bool has_alpha, bool straight, Word (&words)[count]) {
    within_one(pixels, straight);
    float light[3 * count];
    std::uint32_t sums[3 * count];
#pragma unroll
    for (int i = 0; i < 3 * count; ++i) light[i] = pixels[i / 3].v[i % 3];
    if (srgb) {
      detail::srgb16_sums_within(*tables.shorts, tables.thresholds, light, sums);
    } else {
#pragma unroll
      for (int i = 0; i < 3 * count; ++i) sums[i] = detail::unorm16_sum_within(light[i]);
    }
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const float last = pixels[i].v[3];
      const std::uint32_t code = srgb && !has_alpha
                                     ? linear_to_srgb16(*tables.shorts, tables.thresholds, last)
                                     : detail::unorm16_sum_within(last);
      words[i] = {detail::two_halves(sums[3 * i], sums[3 * i + 1]),
                  detail::two_halves(sums[3 * i + 2], code)};
    }
  }
};

struct HalfTexel {
  using Word = uint2;
  template <int count>
  __device__ static void load(const Word (&words)[count], float (*v)[4]) {
    detail::all_floats(words, v);
  }
  template <int count>
  __device__ static void store(const Pixel<4> (&pixels)[count], Word (&words)[count]) {
    detail::all_halves(pixels, words);
  }
};
/// @}

}  // namespace cuimg

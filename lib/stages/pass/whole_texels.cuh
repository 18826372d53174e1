// SPDX-License-Identifier: Apache-2.0
// Converts texels of four channels of 8 bits, 16 bits or half to floats and back. All channels are
// converted together, which gives the results of the definitions in kernels/ in far fewer
// instructions. Alpha, where there is one, is the fourth channel.
#pragma once

#include <cstdint>

#include "kernels/color/encoding.h"
#include "kernels/math/srgb16_short.h"
#include "stages/pass/stored_texels.cuh"

namespace cuimg {

/// What the codes of 8-bit texels mean.
struct ByteCodes {
  float light[256];                          ///< A colour's.
  std::uint32_t srgb[Srgb8Tables::buckets];  ///< Srgb8Tables::encode.
};

/// Where a thread finds what texels need: in its block's shared memory, but for the last.
struct TexelTables {
  const ByteCodes* bytes = nullptr;
  const Srgb16Short* shorts = nullptr;
  const float* thresholds = nullptr;  ///< Srgb16Tables::thresholds.
};

namespace detail {

/// `x` within [0, 1], NaN as 0; a zero may lose its sign.
__device__ inline float within_one(float x) {
#if defined(__CUDA_ARCH__)
  return fminf(fmaxf(x, 0.0f), 1.0f);
#else
  return clamp(x, 0.0f, 1.0f);
#endif
}

__device__ inline Half half_of(std::uint32_t halves, int which) {
  return {static_cast<std::uint16_t>(halves >> (16 * which))};
}
__device__ inline std::uint32_t word_of(Half low, Half high) {
  return static_cast<std::uint32_t>(high.bits) << 16 | low.bits;
}

__device__ inline void floats_of(std::uint32_t halves, float* v) {
#if defined(__CUDA_ARCH__)
  asm("{\n.reg .f16 low, high;\nmov.b32 {low, high}, %2;\n"
      "cvt.f32.f16 %0, low;\ncvt.f32.f16 %1, high;\n}"
      : "=f"(v[0]), "=f"(v[1])
      : "r"(halves));
#else
  v[0] = half_to_float(half_of(halves, 0)), v[1] = half_to_float(half_of(halves, 1));
#endif
}
__device__ inline std::uint32_t halves_of(float low, float high) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  std::uint32_t halves;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(halves) : "f"(high), "f"(low));
  return halves;
#else
  return word_of(float_to_half(low), float_to_half(high));
#endif
}

}  // namespace detail

/// @name Premultiply and Unpremultiply of pixels whose fourth value is alpha, the same bytes. @{
__device__ inline void premultiply_colors(float* v) {
#pragma unroll
  for (int c = 0; c < 3; ++c) v[c] = premultiply(v[c], v[3]);
}
/// @returns false where a division has to do it.
__device__ inline bool unpremultiply_colors(float (&v)[4]) {
  bool plain = detail::divides_plainly(v);
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    // Nothing, or so much that its quotient's remainder is exact.
    const std::uint32_t magnitude = bits_of(v[c]) & 0x7fffffffu;
    plain = plain && magnitude - 1u >= bits_of(0x1p-40f) - 1u;
  }
  if (!plain) return false;
  const float reciprocal = detail::reciprocal_of(v[3]);
#pragma unroll
  for (int c = 0; c < 3; ++c) v[c] = v[c] == 0 ? v[c] : detail::divided(v[c], v[3], reciprocal);
  return true;
}
/// @}

/// @name Texels to floats, and floats to texels. @{

struct ByteTexel {
  using Word = std::uint32_t;
  /// @param has_alpha the fourth value has no curve. @param straight colours are made light times
  /// alpha.
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
  /// @param srgb colours follow sRGB's curve, else none.
  __device__ static Word store(float (&v)[4], const ByteCodes& codes, bool srgb, bool has_alpha,
                               bool straight) {
    if (straight) detail::divide_for_integers(v);
    std::uint32_t code[4];
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      if (srgb && (c < 3 || !has_alpha)) {
        code[c] = detail::srgb8_sum(codes.srgb, v[c]) >> 16;
      } else {
        code[c] = bits_of(fma(detail::within_one(v[c]), 255.0f, 0x1p23f)) & 0xffu;
      }
    }
    return code[0] | code[1] << 8 | code[2] << 16 | code[3] << 24;
  }
};

struct ShortTexel {
  using Word = uint2;
  /// @param srgb colours follow sRGB's curve, else none.
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
  __device__ static Word store(float (&v)[4], const TexelTables& tables, bool srgb, bool has_alpha,
                               bool straight) {
    if (straight) detail::divide_for_integers(v);
    std::uint32_t code[4];
#pragma unroll
    for (int c = 0; c < 4; ++c)
      code[c] = srgb && (c < 3 || !has_alpha)
                    ? linear_to_srgb16(*tables.shorts, tables.thresholds, v[c])
                    : float_to_unorm16(v[c]);
    return {code[0] | code[1] << 16, code[2] | code[3] << 16};
  }
};

struct HalfTexel {
  using Word = uint2;
  __device__ static void load(const Word& word, float* v) {
    if (!detail::holds_nan(word.x) && !detail::holds_nan(word.y)) {
      detail::floats_of(word.x, v);
      detail::floats_of(word.y, v + 2);
      return;
    }
    v[0] = half_to_float(detail::half_of(word.x, 0)),
    v[1] = half_to_float(detail::half_of(word.x, 1));
    v[2] = half_to_float(detail::half_of(word.y, 0)),
    v[3] = half_to_float(detail::half_of(word.y, 1));
  }
  __device__ static Word store(const float* v) {
    const Word word = {detail::halves_of(v[0], v[1]), detail::halves_of(v[2], v[3])};
    if (!detail::holds_nan(word.x) && !detail::holds_nan(word.y)) return word;
    return {detail::word_of(float_to_half(v[0]), float_to_half(v[1])),
            detail::word_of(float_to_half(v[2]), float_to_half(v[3]))};
  }
};
/// @}

}  // namespace cuimg

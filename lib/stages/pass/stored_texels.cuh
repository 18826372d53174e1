// SPDX-License-Identifier: Apache-2.0
// One stored value to light and back inside a kernel: the results of kernels/color/encoding.h in
// fewer steps, and with fewer reads of tables that lie far away.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/color/encoding.h"
#include "kernels/texture/texture_cuda.h"

namespace cuimg {

/// A texel of any type in so many words; the first bytes of it count.
template <int words>
struct alignas(4 * words) RawTexel {
  std::uint32_t word[words];
};

namespace detail {

/// v / most, correctly rounded: the quotient's error is below a step of it, so that one correction
/// decides. tests/gpu/stored_forms_test.cpp compares all codes with the division.
template <int most>
CUIMG_HD inline float code_to_float(int v) {
  constexpr float inverse = 1.0f / static_cast<float>(most);
  const float code = float_from_bits(0x4b000000u | static_cast<std::uint32_t>(v)) - 0x1p23f;
  const float near = code * inverse;
  return fma(fma(-near, static_cast<float>(most), code), inverse, near);
}

/// 1 / x within two steps of the last bit, as the card is quick to give it.
__device__ inline float near_reciprocal(float x) {
#if defined(__CUDA_ARCH__)
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return 1.0f / x;
#endif
}
/// @name Colours divided by alpha, which is the last of N values.
/// A division's own steps where nothing overflows or underflows, its reciprocal shared. @{

/// Whether divided() gives what a division gives, but for colours next to nothing.
template <int N>
__device__ inline bool divides_plainly(const float (&v)[N]) {
  float all = 0;
#pragma unroll
  for (int c = 0; c < N - 1; ++c) all += __builtin_fabsf(v[c]);
  return v[N - 1] >= 0x1p-60f && v[N - 1] <= 0x1p60f && all <= 0x1p60f;
}
/// 1 / alpha to the last bit but one.
__device__ inline float reciprocal_of(float alpha) {
  const float near = near_reciprocal(alpha);
  return fma(near, fma(-alpha, near, 1.0f), near);
}
/// Correctly rounded, by the remainder.
__device__ inline float divided(float color, float alpha, float reciprocal) {
  const float near = color * reciprocal;
  return fma(reciprocal, fma(-alpha, near, color), near);
}
/// As unpremultiply() does it, for a store as integers: what is less than a code may come out as
/// any such value, and NaN as another one. Alpha of 0 and 1 leave colours as they are.
template <int N>
__device__ inline void divide_for_integers(float (&v)[N]) {
  if (v[N - 1] == 0 || v[N - 1] == 1) return;
  if (divides_plainly(v)) {
    const float reciprocal = reciprocal_of(v[N - 1]);
#pragma unroll
    for (int c = 0; c < N - 1; ++c) v[c] = divided(v[c], v[N - 1], reciprocal);
    return;
  }
#pragma unroll
  for (int c = 0; c < N - 1; ++c) v[c] = unpremultiply(v[c], v[N - 1]);
}
/// @}

/// `x` within [0, 1], NaN as 0; a zero may lose its sign.
__device__ inline float within_one(float x) {
#if defined(__CUDA_ARCH__)
  return __saturatef(x);
#else
  return clamp(x, 0.0f, 1.0f);
#endif
}

/// linear_to_srgb8() as a sum whose third byte is the code, and whose fourth is 0. What lies below
/// the first bucket has its code. @param codes codes_of_bits().
__device__ inline std::uint32_t srgb8_sum(const std::uint32_t* codes, float light) {
  const std::uint32_t bits = bits_of(fmaxf(within_one(light), 0x1.01p-13f));
  return codes[(bits >> 16) - Srgb8Tables::first_bucket] + bits;
}
/// float_to_unorm8() in the first byte.
__device__ inline std::uint32_t unorm8_sum(float v) {
  return bits_of(fma(within_one(v), 255.0f, 0x1p23f));
}

/// The bytes of a texel from sums as the above: `third` says whose third byte it is, else the
/// first.
template <bool third>
__device__ inline std::uint32_t four_bytes(const std::uint32_t (&colors)[3], std::uint32_t last) {
#if defined(__CUDA_ARCH__)
  const std::uint32_t low = __byte_perm(colors[0], colors[1], third ? 0x0062 : 0x0040);
  const std::uint32_t high = __byte_perm(colors[2], last, third ? 0x0042 : 0x0040);
  return __byte_perm(low, high, 0x5410);
#else
  constexpr int shift = third ? 16 : 0;
  return (colors[0] >> shift & 255u) | (colors[1] >> shift & 255u) << 8 |
         (colors[2] >> shift & 255u) << 16 | (last & 255u) << 24;
#endif
}

/// Half to float, any but NaN.
__device__ inline float number_of(Half half) {
#if defined(__CUDA_ARCH__)
  float number;
  asm("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"(half.bits));
  return number;
#else
  return half_to_float(half);
#endif
}
/// Whether one of four halves, two side by side in each word, is NaN.
__device__ inline bool hold_nan(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  std::uint32_t found;
  asm("{\n.reg .pred low, high;\nsetp.nan.f16x2 low|high, %1, %2;\nor.pred low, low, high;\n"
      "selp.u32 %0, 1, 0, low;\n}"
      : "=r"(found)
      : "r"(a), "r"(b));
  return found != 0;
#else
  const auto holds = [](std::uint32_t halves) {
    return (((halves & 0x7fff7fffu) + 0x03ff03ffu) & 0x80008000u) != 0;
  };
  return holds(a) || holds(b);
#endif
}

__device__ inline Half half_of(std::uint32_t halves, int which) {
  return {static_cast<std::uint16_t>(halves >> (16 * which))};
}
__device__ inline std::uint32_t word_of(Half low, Half high) {
  return static_cast<std::uint32_t>(high.bits) << 16 | low.bits;
}
/// Two halves to floats, any but NaN.
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

/// Four halves to floats and back, NaN as kernels/math/half.h has it.
__device__ inline void four_floats(std::uint32_t first, std::uint32_t second, float (&v)[4]) {
  if (!hold_nan(first, second)) {
    floats_of(first, v);
    floats_of(second, v + 2);
    return;
  }
#pragma unroll
  for (int c = 0; c < 4; ++c) v[c] = half_to_float(half_of(c < 2 ? first : second, c & 1));
}
__device__ inline uint2 four_halves(const float (&v)[4]) {
  const uint2 halves = {halves_of(v[0], v[1]), halves_of(v[2], v[3])};
  if (!hold_nan(halves.x, halves.y)) return halves;
  return {word_of(float_to_half(v[0]), float_to_half(v[1])),
          word_of(float_to_half(v[2]), float_to_half(v[3]))};
}

template <class Stored, int N, int words>
__device__ inline PackedTexel<Stored, N> packed_texel(const RawTexel<words>& raw) {
  PackedTexel<Stored, N> texel;
  constexpr int per_word = 4 / sizeof(Stored);
#pragma unroll
  for (int c = 0; c < N; ++c) {
    const std::uint32_t word = raw.word[c / per_word] >> (8 * sizeof(Stored) * (c % per_word));
    if constexpr (std::is_same_v<Stored, Half>)
      texel.v[c] = {static_cast<std::uint16_t>(word)};
    else if constexpr (std::is_same_v<Stored, float>)
      texel.v[c] = __builtin_bit_cast(float, word);
    else
      texel.v[c] = static_cast<Stored>(word);
  }
  return texel;
}

}  // namespace detail

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// One stored value to light and back inside a kernel: the results of kernels/color/encoding.h in
// fewer steps, and with fewer reads of tables in slow memory.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/color/encoding.h"
#include "kernels/math/pixel.h"
#include "kernels/math/srgb16_short.h"
#include "kernels/texture/texture_cuda.h"

namespace cuimg {

/// A texel of any type in this many words; only its first bytes are used.
template <int words>
struct alignas(4 * words) RawTexel {
  std::uint32_t word[words];
};

namespace detail {

/// v / most, correctly rounded: 1 / most as a sum of two floats is accurate enough for every
/// quotient. tests/gpu/stored_forms_test.cpp compares all codes with the division.
template <int most>
CUIMG_HD inline float code_to_float(int v) {
  constexpr float inverse = 1.0f / static_cast<float>(most);
  constexpr float rest = static_cast<float>(1.0 / most - static_cast<double>(inverse));
  const float code = float_from_bits(0x4b000000u | static_cast<std::uint32_t>(v)) - 0x1p23f;
  return fma(code, inverse, code * rest);
}

/// 1 / x within two steps of the last bit, by the card's fast instruction.
__device__ inline float near_reciprocal(float x) {
#if defined(__CUDA_ARCH__)
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return 1.0f / x;
#endif
}
/// `x` limited to [0, 1], NaN as 0; a zero may lose its sign.
__device__ inline float within_one(float x) {
#if defined(__CUDA_ARCH__)
  return __saturatef(x);
#else
  return clamp(x, 0.0f, 1.0f);
#endif
}
/// The same for a sum: a * b + c.
__device__ inline float sum_within_one(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  float result;
  asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(result) : "f"(a), "f"(b), "f"(c));
  return result;
#else
  return clamp(fma(a, b, c), 0.0f, 1.0f);
#endif
}

/// @name Colours divided by alpha, which is the last of N values.
/// The steps of a division in which nothing overflows or underflows, with a shared reciprocal. @{

/// Whether divided() equals a division, except for tiny colours.
template <int N>
__device__ inline bool divides_plainly(const float (&v)[N]) {
  float all = 0;
#pragma unroll
  for (int c = 0; c < N - 1; ++c) all += __builtin_fabsf(v[c]);
  return v[N - 1] >= 0x1p-60f && v[N - 1] <= 0x1p60f && all <= 0x1p60f;
}
/// 1 / alpha, accurate except for the last bit.
__device__ inline float reciprocal_of(float alpha) {
  const float near = near_reciprocal(alpha);
  return fma(near, fma(-alpha, near, 1.0f), near);
}
/// Correctly rounded, by the remainder, which is taken away: so a zero keeps its sign.
__device__ inline float divided(float color, float alpha, float reciprocal) {
  const float near = color * reciprocal;
  return fma(-reciprocal, fma(alpha, near, -color), near);
}
/// Like unpremultiply(), for a store as integers: values below one code may become any such value,
/// and NaN another NaN. Alpha of 0 and 1 leave colours unchanged.
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
template <int N, int count>
__device__ inline void all_within_one(Pixel<N> (&pixels)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i)
#pragma unroll
    for (int c = 0; c < N; ++c) pixels[i].v[c] = within_one(pixels[i].v[c]);
}
/// By the definition, for rare cases: in a separate function, so that the rest stays in registers.
__device__ __noinline__ inline float straight_by_definition(float color, float alpha) {
  return within_one(unpremultiply(color, alpha));
}
/// The results of divide_for_integers() and within_one() for several pixels. Without a branch if
/// alpha has an ordinary value: then all divisions overlap.
/// @tparam plain all are known to be ordinary: from 0 to about 1, with alpha 0 or at least 2^-60.
template <bool plain, int N, int count>
__device__ inline void divide_within_one(Pixel<N> (&pixels)[count]) {
  Pixel<N> made[count];
  bool all_plain = true;
#pragma unroll
  for (int i = 0; i < count; ++i) {
    const float* const v = pixels[i].v;
    const float alpha = v[N - 1] == 0 ? 1.0f : v[N - 1];
    const float reciprocal = reciprocal_of(alpha);
    float all = __builtin_fabsf(alpha);
    if (!plain) all_plain &= all >= 0x1p-60f;
#pragma unroll
    for (int c = 0; c < N - 1; ++c) {
      all += __builtin_fabsf(v[c]);
      const float near = v[c] * reciprocal;
      made[i].v[c] = sum_within_one(reciprocal, fma(-alpha, near, v[c]), near);
    }
    if (!plain) all_plain &= all <= 0x1p60f;
    made[i].v[N - 1] = plain ? v[N - 1] : within_one(v[N - 1]);
  }
  if (!plain && !all_plain)
#pragma unroll
    for (int i = 0; i < count; ++i)
#pragma unroll
      for (int c = 0; c < N - 1; ++c)
        made[i].v[c] = straight_by_definition(pixels[i].v[c], pixels[i].v[N - 1]);
#pragma unroll
  for (int i = 0; i < count; ++i) pixels[i] = made[i];
}
/// @}

/// linear_to_srgb8() as a sum whose third byte is the code, and whose fourth is 0. Values below the
/// first bucket have its code. `within`: for light from 0 to 1. @param codes codes_of_bits().
__device__ inline std::uint32_t srgb8_sum_within(const std::uint32_t* codes, float light) {
  const std::uint32_t bits = bits_of(fmaxf(light, 0x1.01p-13f));
#if defined(__CUDA_ARCH__)
  // Not a shift, which the compiler would turn into one by 14 and a mask.
  const std::uint32_t bucket = __byte_perm(bits, 0, 0x4432);
#else
  const std::uint32_t bucket = bits >> 16;
#endif
  return codes[bucket - Srgb8Tables::first_bucket] + bits;
}
__device__ inline std::uint32_t srgb8_sum(const std::uint32_t* codes, float light) {
  return srgb8_sum_within(codes, within_one(light));
}
/// float_to_unorm8() in the first byte.
__device__ inline std::uint32_t unorm8_sum_within(float v) {
  return bits_of(fma(v, 255.0f, 0x1p23f));
}

/// srgb16_near_code() and a margin, with a total error under 1/36: because of the margin, rounding
/// up gives the code or the next one.
constexpr float code_margin = 0.03f;
__device__ inline float srgb16_raised_code(const Srgb16Short& tables, float light) {
#if defined(__CUDA_ARCH__)
  // The error of lg2 is 2^-22 absolutely or relatively, that of ex2 2^-22 relatively: with the rest
  // 1/45 of a code.
  float exponent, power;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(exponent) : "f"(light));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(exponent * (1 / 2.4f)));
  const float line = fma(light, 12.92f * 65535.0f, code_margin);
  const float curve = fma(power, 1.055f * 65535.0f, code_margin - 0.055f * 65535.0f);
  return light <= 0.0031308f ? line : curve;
#else
  return srgb16_near_code(light, tables.encode_scale) + code_margin;
#endif
}
/// linear_to_srgb16() of several lights from 0 to 1, in the lower halves: thresholds are only read
/// for lights near one, for all of them together. @param thresholds Srgb16Tables::thresholds.
template <int count>
__device__ inline void srgb16_sums_within(const Srgb16Short& tables, const float* thresholds,
                                          const float (&light)[count],
                                          std::uint32_t (&sums)[count]) {
  constexpr std::uint64_t bits_of_0 = 0x4b000000u;  // of 2^23
  const std::uint64_t first = reinterpret_cast<std::uint64_t>(thresholds) - 4 * bits_of_0;
  float threshold[count];
#pragma unroll
  for (int i = 0; i < count; ++i) {
    const float raised = srgb16_raised_code(tables, light[i]);
    const float rounded = raised + 0x1p23f;
    sums[i] = bits_of(rounded);
    threshold[i] = 0;
    if (raised - (rounded - 0x1p23f) < 2 * code_margin - 0.5f)
      threshold[i] = __ldg(reinterpret_cast<const float*>(first + std::uint64_t{4} * sums[i]));
  }
#pragma unroll
  for (int i = 0; i < count; ++i) sums[i] -= static_cast<std::uint32_t>(light[i] < threshold[i]);
}
/// float_to_unorm16() in the lower half.
__device__ inline std::uint32_t unorm16_sum_within(float v) {
  return bits_of(fma(v, 65535.0f, 0x1p23f));
}
/// The lower halves of two sums.
__device__ inline std::uint32_t two_halves(std::uint32_t low, std::uint32_t high) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(low, high, 0x5410);
#else
  return (low & 0xffffu) | high << 16;
#endif
}

/// The bytes of a texel from sums like the above: `third` selects the third byte of each, otherwise
/// the first.
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

/// Half to float, for any value except NaN.
__device__ inline float number_of(Half half) {
#if defined(__CUDA_ARCH__)
  float number;
  asm("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"(half.bits));
  return number;
#else
  return half_to_float(half);
#endif
}
/// Whether one of four halves, two in each word, is NaN.
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

/// The sums of two pairs of halves; NaN if one of a pair is.
__device__ inline std::uint32_t sum_of_halves(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  std::uint32_t sum;
  asm("add.rn.f16x2 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
  return sum;
#else
  return hold_nan(a, b) ? 0x7fff7fffu : 0u;
#endif
}

__device__ inline Half half_of(std::uint32_t halves, int which) {
  return {static_cast<std::uint16_t>(halves >> (16 * which))};
}
__device__ inline std::uint32_t word_of(Half low, Half high) {
  return static_cast<std::uint32_t>(high.bits) << 16 | low.bits;
}
/// Two halves to floats, for any values except NaN.
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

/// Four halves to floats and back, with NaN as in kernels/math/half.h.
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

/// @name The same of some pixels: NaN is looked for in all of them together, as a sum, which inf -
/// inf makes one too. @{
template <int count>
__device__ inline void all_floats(const uint2 (&halves)[count], float (*v)[4]) {
#if defined(__CUDA_ARCH__)
  std::uint32_t sum = 0;
#pragma unroll
  for (int i = 0; i < count; ++i) sum = sum_of_halves(sum, sum_of_halves(halves[i].x, halves[i].y));
  if (!hold_nan(sum, sum)) {
#pragma unroll
    for (int i = 0; i < count; ++i) floats_of(halves[i].x, v[i]), floats_of(halves[i].y, v[i] + 2);
    return;
  }
#endif
#pragma unroll
  for (int i = 0; i < count; ++i)
#pragma unroll
    for (int c = 0; c < 4; ++c)
      v[i][c] = half_to_float(half_of(c < 2 ? halves[i].x : halves[i].y, c & 1));
}
template <int N, int count>
__device__ inline void all_halves(const Pixel<N> (&pixels)[count], uint2 (&halves)[count]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  std::uint32_t sum = 0;
#pragma unroll
  for (int i = 0; i < count; ++i) {
    const float* const v = pixels[i].v;
    halves[i] = {halves_of(v[0], v[1]), halves_of(v[2], v[3])};
    sum = sum_of_halves(sum, sum_of_halves(halves[i].x, halves[i].y));
  }
  if (!hold_nan(sum, sum)) return;
#endif
#pragma unroll
  for (int i = 0; i < count; ++i) halves[i] = four_halves(pixels[i].v);
}
/// @}

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

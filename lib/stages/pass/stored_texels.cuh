// SPDX-License-Identifier: Apache-2.0
// One stored value to light and back inside a kernel: the results of kernels/color/encoding.h in
// fewer steps, and with fewer reads of tables that lie far away.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/color/encoding.h"
#include "kernels/texture/texture_cuda.h"

namespace cuimg {

/// A texel of N channels of any type; the first bytes of it count.
template <int N>
struct alignas(4 * N) RawTexel {
  std::uint32_t word[N];
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
  for (int c = 0; c < N - 1; ++c) all += abs(v[c]);
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
/// any such value, and NaN as another one.
template <int N>
__device__ inline void divide_for_integers(float (&v)[N]) {
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

/// linear_to_srgb8() as a sum whose third byte is the code. What lies beyond the ends of the table
/// has the codes of these ends.
__device__ inline std::uint32_t srgb8_sum(const std::uint32_t* codes, float light) {
  const std::uint32_t bits = bits_of(fminf(fmaxf(light, 0x1.01p-13f), 0x1.fffep-1f));
  return codes[(bits >> 16) - Srgb8Tables::first_bucket] + (bits & 0xffffu);
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
/// Whether one of two halves, side by side, is NaN.
__device__ inline bool holds_nan(std::uint32_t halves) {
  return (((halves & 0x7fff7fffu) + 0x03ff03ffu) & 0x80008000u) != 0;
}

template <class Stored, int N>
__device__ inline PackedTexel<Stored, N> packed_texel(const RawTexel<N>& raw) {
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

// SPDX-License-Identifier: Apache-2.0
// Single values of stored forms, for kernels that hold a texel's channels apart: the steps of
// stages/pass/stored_pixels.cuh.
#pragma once

#include "stages/pass/stored_pixels.cuh"

namespace cuimg::detail {

/// @name The light of a value as it is stored, not yet times alpha; a NaN may be any. @{
template <int N>
__device__ inline float light_of(const FormRows<N>& rows, std::uint8_t code, bool is_alpha) {
  return rows.form.is_srgb && !is_alpha ? rows.light8[code] : code_to_float<255>(code);
}
template <int N>
__device__ inline float light_of(const FormRows<N>& rows, std::uint16_t code, bool is_alpha) {
  return rows.form.is_srgb && !is_alpha ? srgb16_to_linear(*rows.form.short16, code)
                                        : code_to_float<65535>(code);
}
template <int N>
__device__ inline float light_of(const FormRows<N>&, Half half, bool) {
  return number_of(half);
}
/// @}

/// Light as it is stored, divided by alpha before.
template <class T, int N>
__device__ inline T stored_as(const FormTarget<N>& target, float light, bool is_alpha) {
  const bool is_curved = target.form.is_srgb && !is_alpha;
  T stored;
  if constexpr (std::is_same_v<T, std::uint8_t>)
    if (is_curved) return static_cast<T>(srgb8_sum(target.codes8, light) >> 16);
  if constexpr (std::is_same_v<T, std::uint16_t>)
    if (is_curved)
      return static_cast<T>(
          linear_to_srgb16(*target.form.short16, target.form.tables.srgb16->thresholds, light));
  float_to_stored(light, stored);
  return stored;
}

/// A colour of integers divided by alpha. All are made of what codes decode to, within [0, 1],
/// which divides plainly but by 0.
__device__ inline float color_over_alpha(float color, float alpha, float reciprocal) {
  return alpha == 0.0f ? color : divided(color, alpha, reciprocal);
}

}  // namespace cuimg::detail

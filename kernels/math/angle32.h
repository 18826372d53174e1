// SPDX-License-Identifier: Apache-2.0
// Angles as integers: 2^32 is one turn. Integers wrap around like angles, so a phase of any size is
// reduced without an error, and angles near a whole turn are as precise as those near 0.
#pragma once

#include <cstdint>

#include "kernels/math/math.h"
#include "kernels/math/platform.h"

namespace cuimg {

namespace detail {

/// sin(pi x) for |x| <= 1/4: x (pi + x^2 p(x^2)), p fitted at Chebyshev's nodes, error 2^-31.
CUIMG_HD inline float sine_near_zero(float x) {
  const float t = x * x;
  float p = 0x1.4cb762p-4f;
  p = fma(p, t, -0x1.32ce1ep-1f);
  p = fma(p, t, 0x1.466bc2p+1f);
  p = fma(p, t, -0x1.4abbcep+2f);
  return x * fma(p, t, 0x1.921fb6p+1f);
}

/// cos(pi x) for |x| <= 1/4: 1 - x^2 (pi^2/2 - x^2 p(x^2)), p fitted in the same way, error 2^-26.
CUIMG_HD inline float cosine_near_zero(float x) {
  const float t = x * x;
  float p = 0x1.dd0736p-3f;
  p = fma(p, t, -0x1.55d016p+0f);
  p = fma(p, t, 0x1.03c1f0p+2f);
  p = fma(p, t, -0x1.3bd3ccp+2f);
  return fma(p, t, 1.0f);
}

}  // namespace detail

/// Sine of `phase` / 2^32 turns, error under 2^-23; exact at quarters of a turn.
CUIMG_HD inline float sine_of_turns(std::uint32_t phase) {
  const std::uint32_t quarter = (phase + 0x20000000u) >> 30;
  const auto rest = static_cast<std::int32_t>(phase - (quarter << 30));
  const float x = static_cast<float>(rest) * 0x1p-31f;  // in half turns
  const float size =
      select((quarter & 1u) != 0, detail::cosine_near_zero(x), detail::sine_near_zero(x));
  return select((quarter & 2u) != 0, 0.0f - size, size);
}

/// Cosine of `phase` / 2^32 turns, error under 2^-23; exact at quarters of a turn.
CUIMG_HD inline float cosine_of_turns(std::uint32_t phase) {
  return sine_of_turns(phase + 0x40000000u);
}

/// Cosine and sine of one angle: the same bits in half the steps.
struct CosineAndSine {
  float cosine, sine;
};
CUIMG_HD inline CosineAndSine cosine_and_sine_of_turns(std::uint32_t phase) {
  const std::uint32_t quarter = (phase + 0x20000000u) >> 30;
  const auto rest = static_cast<std::int32_t>(phase - (quarter << 30));
  const float x = static_cast<float>(rest) * 0x1p-31f;  // in half turns
  const float near_one = detail::cosine_near_zero(x), near_zero = detail::sine_near_zero(x);
  const bool is_odd = (quarter & 1u) != 0;
  const float sine = select(is_odd, near_one, near_zero);
  const float cosine = select(is_odd, near_zero, near_one);
  return {select(((quarter + 1) & 2u) != 0, 0.0f - cosine, cosine),
          select((quarter & 2u) != 0, 0.0f - sine, sine)};
}

/// The angle from (1, 0) to (x, y), positive towards (0, 1); error under 2^-25 turns. Exact on the
/// axes and diagonals; (0, 0) has angle 0. atan(t) = t (1 + t^2 p(t^2)), p fitted at Chebyshev's
/// nodes of [0, 1], error 2^-29.
CUIMG_HD inline std::uint32_t turns_of(float y, float x) {
  const float across = abs(x), up = abs(y);
  const bool steep = up > across;
  const float larger = select(steep, up, across), smaller = select(steep, across, up);
  const float t = larger > 0.0f ? smaller / larger : 0.0f;
  const float t2 = t * t;
  float p = 0x1.f0e244p-13f;
  p = fma(p, t2, -0x1.7d871ep-10f);
  p = fma(p, t2, 0x1.125f02p-8f);
  p = fma(p, t2, -0x1.fead3cp-8f);
  p = fma(p, t2, 0x1.6eba46p-7f);
  p = fma(p, t2, -0x1.d1cfcap-7f);
  p = fma(p, t2, 0x1.21230cp-6f);
  p = fma(p, t2, -0x1.74780ap-6f);
  p = fma(p, t2, 0x1.04c240p-5f);
  p = fma(p, t2, -0x1.b2995ep-5f);
  p = fma(p, t2, 0x1.45f306p-3f);
  const auto octant = static_cast<std::uint32_t>(trunc_to_int(fma(t * p, 0x1p32f, 0.5f)));
  std::uint32_t phase = t == 1.0f ? 0x20000000u : octant;
  phase = select(steep, 0x40000000u - phase, phase);
  phase = select(x < 0.0f, 0x80000000u - phase, phase);
  return select(y < 0.0f, 0u - phase, phase);
}

}  // namespace cuimg

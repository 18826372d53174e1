// SPDX-License-Identifier: Apache-2.0
// Noise: each pixel's values are computed from its own counter, its column and row.
#pragma once

#include "kernels/color/pixel_op.h"
#include "kernels/math/angle32.h"
#include "kernels/math/philox.h"
#include "kernels/math/root.h"

namespace cuimg {

/// In [0, 1), uniform over the multiples of 2^-24.
CUIMG_HD inline float uniform_of(std::uint32_t word) {
  return static_cast<float>(word >> 8) * 0x1p-24f;
}

namespace detail {

/// -2 ln u for 0 < u < 1, normal: error under 1.2 steps of its last bit. For u = (1 + f) 2^e with f
/// around 0 it is -2 f + f^2 + f^3 p(f) - 2 e ln 2; p is fitted for the smallest relative error.
CUIMG_HD inline float minus_twice_log(float u) {
  constexpr float twice_ln_2 = 1.3862943611198906f;
  const std::uint32_t bits = bits_of(u);
  const std::int32_t exponent = static_cast<std::int32_t>(bits - 0x3f3504f3u) >> 23;
  const float f = float_from_bits(bits - (static_cast<std::uint32_t>(exponent) << 23)) - 1.0f;
  float p = -0x1.64ce60p-3f;
  p = fma(p, f, 0x1.2413c2p-2f);
  p = fma(p, f, -0x1.3150fap-2f);
  p = fma(p, f, 0x1.538550p-2f);
  p = fma(p, f, -0x1.98dc0ap-2f);
  p = fma(p, f, 0x1.00037ap-1f);
  p = fma(p, f, -0x1.5556c8p-1f);
  const float square = f * f;
  const float rest = fma(static_cast<float>(exponent), -twice_ln_2, fma(f * square, p, square));
  return fma(f, -2.0f, rest);
}

}  // namespace detail

/// Two independent normal deviates of mean 0 and variance 1. Box and Muller, "A note on the
/// generation of random normal deviates", 1958: a radius of sqrt(-2 ln u) at a random angle. u is
/// from 2^-33 to 1 - 2^-24, so none is beyond 6.8.
struct NormalPair {
  float first, second;
};
CUIMG_HD inline NormalPair normal_pair(std::uint32_t word, std::uint32_t angle) {
  // Slightly less than 2^-32, so that the result is below 1.
  const float u = fma(static_cast<float>(word), 0x1.fffffep-33f, 0x1p-33f);
  const float radius = sqrt_of_normal(detail::minus_twice_log(u));
  const CosineAndSine direction = cosine_and_sine_of_turns(angle);
  return {radius * direction.cosine, radius * direction.sine};
}

struct Noise {
  std::uint32_t key[2];
  bool gaussian;
  float low, high;  ///< For gaussian noise: mean and standard deviation.
  PixelShape shape;

  CUIMG_HD void operator()(int x, int y, float* v) const {
    const RandomWords words = philox4x32(
        {{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 0, 0}}, key[0], key[1]);
    if (gaussian) {
      const NormalPair a = normal_pair(words.v[0], words.v[1]);
      const NormalPair b = normal_pair(words.v[2], words.v[3]);
      v[0] = fma(high, a.first, low);
      v[1] = fma(high, a.second, low);
      v[2] = fma(high, b.first, low);
      v[3] = fma(high, b.second, low);
      // With a finite mean and deviation no value is NaN.
      if (!is_finite(low) || !is_finite(high))
        for (int c = 0; c < 4; ++c) v[c] = canonical_nan(v[c]);
    } else {
      for (int c = 0; c < 4; ++c) v[c] = fma(uniform_of(words.v[c]), high - low, low);
    }
    for (int c = 0; c < 4; ++c) v[c] = select(c == shape.alpha, 1.0f, v[c]);
  }
};

}  // namespace cuimg

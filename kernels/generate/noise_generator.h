// SPDX-License-Identifier: Apache-2.0
// Noise: each pixel's values come from its own counter, its column and row.
#pragma once

#include "kernels/color/pixel_op.h"
#include "kernels/math/angle32.h"
#include "kernels/math/exp_log.h"
#include "kernels/math/philox.h"

namespace cuimg {

/// In [0, 1), all multiples of 2^-24 alike.
CUIMG_HD inline float uniform_of(std::uint32_t word) {
  return static_cast<float>(word >> 8) * 0x1p-24f;
}

/// Two independent normal deviates of mean 0 and variance 1. Box and Muller, "A note on the
/// generation of random normal deviates", 1958: a radius of sqrt(-2 ln u) at a random angle. u is
/// at least 2^-33, so none is beyond 6.8.
struct NormalPair {
  float first, second;
};
CUIMG_HD inline NormalPair normal_pair(std::uint32_t word, std::uint32_t angle) {
  const float u = fma(static_cast<float>(word), 0x1p-32f, 0x1p-33f);
  const float ln_u = log_of_normal(u);
  const float radius = sqrt(ln_u < 0.0f ? -2.0f * ln_u : 0.0f);
  const CosineAndSine direction = cosine_and_sine_of_turns(angle);
  return {radius * direction.cosine, radius * direction.sine};
}

struct Noise {
  std::uint32_t key[2];
  bool gaussian;
  float low, high;  ///< Of gaussian noise: mean and standard deviation.
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
    } else {
      for (int c = 0; c < 4; ++c) v[c] = fma(uniform_of(words.v[c]), high - low, low);
    }
    for (int c = 0; c < 4; ++c) v[c] = c == shape.alpha ? 1.0f : canonical_nan(v[c]);
  }
};

}  // namespace cuimg

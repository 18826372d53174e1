// SPDX-License-Identifier: Apache-2.0
// The bilateral filter's arithmetic (Tomasi and Manduchi 1998): a mean of the surrounding pixels,
// weighted by distance and by similarity of colour.
#pragma once

#include <cstdint>

#include "kernels/math/exp_log.h"
#include "kernels/math/math.h"
#include "kernels/math/pixel.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// Collects the taps of one pixel. Differences from it are weighted instead of values, so a
/// constant remains constant to the last bit. Texels with an infinite difference have no weight, so
/// neither NaN nor infinity in a colour reaches another pixel.
template <int N>
struct BilateralSum {
  Pixel<N> centre;
  Pixel<N> sum = {};
  float total = 0.0f;

  /// @param nearness the base-2 logarithm of the weight by distance. @param likeness the negative
  /// factor from a squared difference of colours to the logarithm of its weight. @param colors a
  /// bit for each channel that counts as colour.
  CUIMG_HD void add(float nearness, float likeness, std::uint32_t colors, const Pixel<N>& texel) {
    float difference[N];
    float squares = 0.0f;
    for (int c = 0; c < N; ++c) {
      difference[c] = texel.v[c] - centre.v[c];
      if ((colors >> c & 1u) != 0) squares = fma(difference[c], difference[c], squares);
    }
    const float weight = exp2_to_one(fma(squares, likeness, nearness));
    if (weight > 0.0f) {
      for (int c = 0; c < N; ++c) sum.v[c] = fma(weight, difference[c], sum.v[c]);
      total += weight;
    }
  }
  CUIMG_HD Pixel<N> result() const {
    Pixel<N> pixel;
    for (int c = 0; c < N; ++c)
      pixel.v[c] = canonical_nan(total > 0.0f ? centre.v[c] + sum.v[c] / total : centre.v[c]);
    return pixel;
  }
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// ClampedTapSum as a card does it: the same bits in fewer instructions. The card's min and max
// order -0 below +0 as kernels/math/math.h does, and differ from it over NaNs only; where a texel
// is NaN so is the sum, and its range is not asked for.
#pragma once

#include "kernels/stencil/resample.h"

namespace cuimg {

template <int N>
struct CardClampedTapSum {
  TapSum<N> taps;
  Pixel<N> low, high;
  float total = 0.0f;
  bool any = false;

  __device__ CardClampedTapSum() {
    for (int c = 0; c < N; ++c) {
      low.v[c] = __builtin_huge_valf();
      high.v[c] = -__builtin_huge_valf();
    }
  }
  __device__ void add(float weight, const Pixel<N>& texel) {
    taps.add(weight, texel);
    if (weight == 0.0f) return;
    total += weight;
    any = true;
    widen(texel, texel);
  }
  /// Takes in texels whose weights are not 0: `lower` and `upper` are one, or the ends of several.
  __device__ void widen(const Pixel<N>& lower, const Pixel<N>& upper) {
    for (int c = 0; c < N; ++c) {
      low.v[c] = fminf(low.v[c], lower.v[c]);
      high.v[c] = fmaxf(high.v[c], upper.v[c]);
    }
  }
  __device__ Pixel<N> result() const {
    Pixel<N> pixel = taps.result();
    if (!any) return pixel;
    const bool is_whole = total == 1.0f;
    for (int c = 0; c < N; ++c)
      pixel.v[c] = within(pixel.v[c], is_whole ? low.v[c] : fminf(low.v[c], 0.0f),
                          is_whole ? high.v[c] : fmaxf(high.v[c], 0.0f));
    return pixel;
  }
  /// Of weights that are known to sum to 1.
  __device__ Pixel<N> whole_result() const {
    Pixel<N> pixel = taps.result();
    for (int c = 0; c < N; ++c) pixel.v[c] = within(pixel.v[c], low.v[c], high.v[c]);
    return pixel;
  }

 private:
  __device__ static float within(float x, float low, float high) {
    return x != x ? x : fminf(fmaxf(x, low), high);
  }
};

}  // namespace cuimg

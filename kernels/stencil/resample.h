// SPDX-License-Identifier: Apache-2.0
// The arithmetic of resampling: a weighted sum of texels, tap by tap, with the same rounding
// everywhere.
#pragma once

#include "kernels/math/math.h"
#include "kernels/math/pixel.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// A sum over taps in their order. Each tap is added by a fused operation with one rounding.
template <int N>
struct TapSum {
  Pixel<N> sum = {};

  CUIMG_HD void add(float weight, const Pixel<N>& texel) {
    for (int c = 0; c < N; ++c) sum.v[c] = fma(weight, texel.v[c], sum.v[c]);
  }
  CUIMG_HD Pixel<N> result() const {
    Pixel<N> pixel;
    for (int c = 0; c < N; ++c) pixel.v[c] = canonical_nan(sum.v[c]);
    return pixel;
  }
};

/// The same, limited to the range of the texels in the sum: no ringing around highlights. If the
/// weights add up to less than 1 (their sums are exact), zeros outside the picture are part of the
/// range. A sum that is NaN remains NaN.
template <int N>
struct ClampedTapSum {
  TapSum<N> taps;
  Pixel<N> low = {}, high = {};
  float total = 0.0f;
  bool any = false;

  CUIMG_HD void add(float weight, const Pixel<N>& texel) {
    taps.add(weight, texel);
    if (weight == 0.0f) return;
    total += weight;
    for (int c = 0; c < N; ++c) {
      low.v[c] = any ? min(low.v[c], texel.v[c]) : texel.v[c];
      high.v[c] = any ? max(high.v[c], texel.v[c]) : texel.v[c];
    }
    any = true;
  }
  CUIMG_HD Pixel<N> result() const {
    Pixel<N> pixel = taps.result();
    if (any)
      for (int c = 0; c < N; ++c)
        if (!is_nan(pixel.v[c])) pixel.v[c] = min(max(pixel.v[c], lowest(c)), highest(c));
    return pixel;
  }

 private:
  CUIMG_HD float lowest(int c) const { return total == 1.0f ? low.v[c] : min(low.v[c], 0.0f); }
  CUIMG_HD float highest(int c) const { return total == 1.0f ? high.v[c] : max(high.v[c], 0.0f); }
};

}  // namespace cuimg

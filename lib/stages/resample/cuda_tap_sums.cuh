// SPDX-License-Identifier: Apache-2.0
// The range of some texels, and ClampedTapSum in a card's form: the same bits in fewer
// instructions. The card's min and max order -0 below +0 like kernels/math/math.h, and differ from
// it only for NaNs; if a texel is NaN so is the sum, and its range is not used.
#pragma once

#include "kernels/stencil/resample.h"

namespace cuimg {

/// The least and the greatest of some texels, channel by channel.
template <int N>
struct TexelRange {
  Pixel<N> low, high;

  __device__ static TexelRange of(const Pixel<N>& a, const Pixel<N>& b) {
    TexelRange range;
    for (int c = 0; c < N; ++c) {
      range.low.v[c] = fminf(a.v[c], b.v[c]);
      range.high.v[c] = fmaxf(a.v[c], b.v[c]);
    }
    return range;
  }
  __device__ friend TexelRange joined(const TexelRange& a, const TexelRange& b) {
    TexelRange range;
    for (int c = 0; c < N; ++c) {
      range.low.v[c] = fminf(a.low.v[c], b.low.v[c]);
      range.high.v[c] = fmaxf(a.high.v[c], b.high.v[c]);
    }
    return range;
  }
  /// `taps` limited to this range. @param taps of the range's texels, with weights that add up to
  /// 1.
  __device__ Pixel<N> limited(const TapSum<N>& taps) const {
    Pixel<N> pixel = taps.result();
    for (int c = 0; c < N; ++c) pixel.v[c] = within(pixel.v[c], low.v[c], high.v[c]);
    return pixel;
  }
  __device__ static float within(float x, float low, float high) {
    return x != x ? x : fminf(fmaxf(x, low), high);
  }
};

template <int N>
struct CardClampedTapSum {
  TapSum<N> taps;
  TexelRange<N> range;
  float total = 0.0f;
  bool any = false;

  __device__ CardClampedTapSum() {
    for (int c = 0; c < N; ++c) {
      range.low.v[c] = __builtin_huge_valf();
      range.high.v[c] = -__builtin_huge_valf();
    }
  }
  __device__ void add(float weight, const Pixel<N>& texel) {
    taps.add(weight, texel);
    if (weight == 0.0f) return;
    total += weight;
    any = true;
    range = joined(range, {texel, texel});
  }
  __device__ Pixel<N> result() const {
    Pixel<N> pixel = taps.result();
    if (!any) return pixel;
    const bool is_whole = total == 1.0f;
    for (int c = 0; c < N; ++c) {
      const float low = range.low.v[c], high = range.high.v[c];
      pixel.v[c] = TexelRange<N>::within(pixel.v[c], is_whole ? low : fminf(low, 0.0f),
                                         is_whole ? high : fmaxf(high, 0.0f));
    }
    return pixel;
  }
};

}  // namespace cuimg

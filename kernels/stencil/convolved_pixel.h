// SPDX-License-Identifier: Apache-2.0
// The steps after a convolution's sum; the sum itself is TapSum of kernels/stencil/resample.h.
#pragma once

#include "kernels/math/math.h"
#include "kernels/math/pixel.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// Turns a channel's weighted sum into its result.
struct Finish {
  /// Unsharp masking: the original plus `amount` times its difference from the sum, if the
  /// difference is at least `threshold`.
  bool sharpens = false;
  float amount = 0.0f, threshold = 0.0f;
  float bias = 0.0f;  ///< Added to the sum, but not to alpha's.
  int alpha = -1;     ///< Alpha's index, or -1.
  bool keeps_alpha = false;

  CUIMG_HD bool is_nothing() const {
    return !sharpens && bias == 0.0f && !(keeps_alpha && alpha >= 0);
  }
  CUIMG_HD bool needs_original() const { return sharpens || (keeps_alpha && alpha >= 0); }

  /// The original plus `amount` times its difference from the sum.
  CUIMG_HD float sharpened(float sum, float original) const {
    const float detail = original - sum;
    return original + amount * detail;
  }
  CUIMG_HD float operator()(float sum, float original, int channel) const {
    if (sharpens)
      return canonical_nan(
          select(abs(original - sum) < threshold, original, sharpened(sum, original)));
    if (channel == alpha) return keeps_alpha ? original : sum;
    return canonical_nan(sum + bias);
  }
  template <int N>
  CUIMG_HD Pixel<N> operator()(const Pixel<N>& sum, const Pixel<N>& original) const {
    Pixel<N> result;
    for (int c = 0; c < N; ++c) result.v[c] = (*this)(sum.v[c], original.v[c], c);
    return result;
  }
};

}  // namespace cuimg

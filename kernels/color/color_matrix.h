// SPDX-License-Identifier: Apache-2.0
// Operations that mix a pixel's colours: matrices, saturation, luminance.
#pragma once

#include "kernels/color/pixel_op.h"

namespace cuimg {

/// Rows of four, applied to (r, g, b, a), plus an offset. Without alpha the fourth column must be
/// 0.
struct ColorMatrix {
  float row[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  float offset[4] = {0, 0, 0, 0};
  bool reads_alpha = false, makes_alpha = false;

  CUIMG_HD void operator()(float* v, PixelShape&) const {
    const float r = v[0], g = v[1], b = v[2], a = v[3];
    for (int c = 0; c < 4; ++c) {
      float sum = fma(row[c][2], b, fma(row[c][1], g, row[c][0] * r));
      if (reads_alpha) sum = fma(row[c][3], a, sum);
      if (c < 3 || makes_alpha) v[c] = canonical_nan(sum + offset[c]);
    }
  }
};

/// The weighted mean of three values: exactly their value if they are equal, and infinite if one
/// is.
CUIMG_HD inline float luminance(const float* v, const float* weights) {
  const float by_difference = fma(weights[2], v[2] - v[1], fma(weights[0], v[0] - v[1], v[1]));
  const float by_sum = fma(weights[2], v[2], fma(weights[1], v[1], weights[0] * v[0]));
  return select(by_difference == by_difference, by_difference, by_sum);
}

/// Moves colours away from their luminance, which does not change.
struct Saturate {
  float weights[3] = {0, 1, 0};
  float amount[3] = {1, 1, 1};

  CUIMG_HD void operator()(float* v, PixelShape&) const {
    const float grey = luminance(v, weights);
    for (int c = 0; c < 3; ++c) {
      const float moved = fma(amount[c], v[c] - grey, grey);
      // If the luminance is infinite, infinite values do not change.
      const float by_shares = fma(amount[c], v[c], (1.0f - amount[c]) * grey);
      v[c] = canonical_nan(select(is_finite(grey), moved, by_shares));
    }
  }
};

/// Red, green and blue become their luminance; alpha is kept.
struct Luminance {
  float weights[3] = {0, 1, 0};

  CUIMG_HD void operator()(float* v, PixelShape& shape) const {
    v[0] = canonical_nan(luminance(v, weights));
    v[1] = v[3];
    const bool has_alpha = shape.alpha >= 0;
    shape.channels = has_alpha ? 2 : 1;
    shape.colors = 1;
    shape.alpha = has_alpha ? 1 : -1;
  }
};

}  // namespace cuimg

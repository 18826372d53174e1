// SPDX-License-Identifier: Apache-2.0
// Straight lines over values: levels, contrast, inversion.
#pragma once

#include "kernels/color/pixel_op.h"

namespace cuimg {

/// v[c] = (v[c] - from[c]) * slope[c] + to[c] for the channels of the mask; the slope is slope +
/// slope_low, so that a line through two points meets both exactly.
struct Line {
  static constexpr bool by_channel = true;
  float from[4] = {0, 0, 0, 0}, slope[4] = {1, 1, 1, 1}, slope_low[4] = {0, 0, 0, 0};
  float to[4] = {0, 0, 0, 0};
  std::uint8_t channels = 0;

  CUIMG_HD void operator()(float* v, PixelShape&) const {
    for (int c = 0; c < 4; ++c) {
      const float x = v[c] - from[c];
      const float low = select(is_finite(x), fma(x, slope_low[c], to[c]), to[c]);
      v[c] = select(has_channel(channels, c), canonical_nan(fma(x, slope[c], low)), v[c]);
    }
  }
};

}  // namespace cuimg

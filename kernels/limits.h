// SPDX-License-Identifier: Apache-2.0
// Values kept within limits.
#pragma once

#include "kernels/pixel_op.h"

namespace cuimg {

/// Each channel of the mask within [low, high]; NaN stays. Premultiplied colours have their limits
/// multiplied by alpha, where there is any.
struct Limit {
  float low[4] = {0, 0, 0, 0}, high[4] = {1, 1, 1, 1};
  std::uint8_t channels = 0;
  std::int8_t by_alpha = -1;  ///< Alpha's index where colours are premultiplied, or -1.

  CUIMG_HD void operator()(float* v, PixelShape&) const {
    float coverage = 1;
    for (int c = 0; c < 4; ++c) coverage = select(c == by_alpha, v[c], coverage);
    coverage = select(coverage > 0.0f, coverage, 1.0f);
    for (int c = 0; c < 4; ++c) {
      const float scale = select(c == by_alpha, 1.0f, coverage);
      const float raised = select(v[c] < low[c] * scale, low[c] * scale, v[c]);
      const float inside = select(raised > high[c] * scale, high[c] * scale, raised);
      v[c] = select(has_channel(channels, c), canonical_nan(inside), v[c]);
    }
  }
};

/// NaN and infinities become 0.
struct FiniteOrZero {
  std::uint8_t channels = 0;
  CUIMG_HD float value(float x) const { return select(is_finite(x), x, 0.0f); }
};

}  // namespace cuimg

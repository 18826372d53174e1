// SPDX-License-Identifier: Apache-2.0
// Limits values to a range.
#pragma once

#include "kernels/color/pixel_op.h"

namespace cuimg {

/// Limits each channel of the mask to [low, high]; NaN does not change. For premultiplied colours
/// the limits are multiplied by alpha; where alpha is 0, light is limited directly, and black
/// remains black.
struct Limit {
  static constexpr bool by_channel = true;
  float low[4] = {0, 0, 0, 0}, high[4] = {1, 1, 1, 1};
  std::uint8_t channels = 0;
  std::int8_t by_alpha = -1;  ///< Alpha's index if colours are premultiplied, or -1.

  CUIMG_HD void operator()(float* v, PixelShape&) const {
    float coverage = 1;
    for (int c = 0; c < 4; ++c) coverage = select(c == by_alpha, v[c], coverage);
    const bool is_covered = coverage > 0.0f;
    coverage = select(is_covered, coverage, 1.0f);
    for (int c = 0; c < 4; ++c) {
      const bool is_plain = is_covered || c == by_alpha;
      const float scale = select(c == by_alpha, 1.0f, coverage);
      const float least = select(is_plain, low[c] * scale, min(low[c], 0.0f));
      const float most = select(is_plain, high[c] * scale, max(high[c], 0.0f));
      const float raised = select(v[c] < least, least, v[c]);
      const float inside = select(raised > most, most, raised);
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

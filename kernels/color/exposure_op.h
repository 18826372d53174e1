// SPDX-License-Identifier: Apache-2.0
// Light multiplied by a factor: exposure and gain.
#pragma once

#include "kernels/color/pixel_op.h"

namespace cuimg {

/// v[c] *= factor[c]; alpha does not change unless it has a factor.
struct Scale {
  static constexpr bool by_channel = true;
  float factor[4] = {1, 1, 1, 1};
  bool scales_alpha = false;

  CUIMG_HD void operator()(float* v, PixelShape& shape) const {
    for (int c = 0; c < 4; ++c)
      if (c < shape.colors || (scales_alpha && c == shape.alpha))
        v[c] = canonical_nan(v[c] * factor[c]);
  }
};

}  // namespace cuimg

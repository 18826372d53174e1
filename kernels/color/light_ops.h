// SPDX-License-Identifier: Apache-2.0
// The steps of a conversion other than its curves, as per-pixel operations. The pipeline inserts
// them between stages that need different forms of values.
#pragma once

#include "kernels/color/convert.h"
#include "kernels/color/pixel_op.h"

namespace cuimg {

/// Multiplies colours by alpha.
struct Premultiply {
  static constexpr bool by_channel = true;
  bool keeps_uncovered = false;  ///< See ColorEncoding::uncovered_light.

  CUIMG_HD void operator()(float* v, PixelShape& shape) const {
    const float coverage = detail::channel_of(v, shape.channels, shape.alpha);
    if (keeps_uncovered && coverage == 0) {
      const bool is_nothing = bits_of(coverage) != 0;  // -0
      for (int c = 0; c < 4; ++c)
        if (c < shape.channels) v[c] = select(is_nothing, 0.0f, v[c]);
      return;
    }
    for (int c = 0; c < 4; ++c)
      if (c < shape.channels && c != shape.alpha) v[c] = premultiply(v[c], coverage);
  }
};

/// Divides colours by alpha; with alpha 0 they do not change.
struct Unpremultiply {
  static constexpr bool by_channel = true;
  bool keeps_uncovered = false;  ///< See ColorEncoding::uncovered_light.

  CUIMG_HD void operator()(float* v, PixelShape& shape) const {
    const float coverage = detail::channel_of(v, shape.channels, shape.alpha);
    if (keeps_uncovered && coverage == 0) {
      bool is_nothing = true;
      for (int c = 0; c < 4; ++c)
        if (c < shape.channels) is_nothing = is_nothing && v[c] == 0;
      for (int c = 0; c < 4; ++c)
        if (c < shape.channels) v[c] = select(c == shape.alpha, is_nothing ? -0.0f : 0.0f, v[c]);
      return;
    }
    for (int c = 0; c < 4; ++c)
      if (c < shape.channels && c != shape.alpha) v[c] = unpremultiply(v[c], coverage);
  }
};

/// Converts to the primaries, alpha and channels of another form; see map_light().
struct MapLight {
  LightMap map;
  PixelShape to;
  CUIMG_HD void operator()(float* v, PixelShape& shape) const {
    float mapped[4] = {};
    map_light(map, v, mapped);
    for (int c = 0; c < 4; ++c) v[c] = mapped[c];
    shape = to;
  }
};

}  // namespace cuimg

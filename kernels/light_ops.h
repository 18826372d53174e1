// SPDX-License-Identifier: Apache-2.0
// The steps of a conversion as per-pixel operations: what the pipeline puts between stages that
// want their values differently.
#pragma once

#include "kernels/convert.h"
#include "kernels/pixel_op.h"

namespace cuimg {

/// Encoded floats to linear light, premultiplied: pixel_to_working() in place.
struct DecodeLight {
  Encoding encoding;
  CUIMG_HD void operator()(float* v, PixelShape& shape) const {
    const int alpha = encoding.alpha_index;
    for_values(v, [&](float x, int c) {
      return c < shape.channels && c != alpha ? decode(encoding.transfer, x) : x;
    });
    if (alpha < 0 || !encoding.straight_alpha) return;
    const float coverage = detail::channel_of(v, shape.channels, alpha);
    for (int c = 0; c < 4; ++c)
      if (c < shape.channels && c != alpha) v[c] = premultiply(v[c], coverage);
  }
};

/// Linear light, premultiplied, to encoded floats: working_to_pixel() in place.
struct EncodeLight {
  Encoding encoding;
  CUIMG_HD void operator()(float* v, PixelShape& shape) const {
    const int alpha = encoding.alpha_index;
    if (alpha >= 0 && encoding.straight_alpha) {
      const float coverage = detail::channel_of(v, shape.channels, alpha);
      for (int c = 0; c < 4; ++c)
        if (c < shape.channels && c != alpha) v[c] = unpremultiply(v[c], coverage);
    }
    for_values(v, [&](float x, int c) {
      return c < shape.channels && c != alpha ? encode(encoding.transfer, x) : x;
    });
  }
};

/// Primaries, alpha and channels as another form has them; see map_light().
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

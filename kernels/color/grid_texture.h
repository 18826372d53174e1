// SPDX-License-Identifier: Apache-2.0
// A look-up grid that the texture unit reads between entries: fast, with weights of 8 bits.
#pragma once

#include "kernels/color/encoding.h"
#include "kernels/color/lut_op.h"
#include "kernels/math/pixel.h"

namespace cuimg {

/// Processes one pixel by the curves, if there are any, and the grid.
struct GridTexture {
  CurveTable curves;  ///< Without a table there are none.
  int size = 2;
  TableAxis axis[3];
  PixelShape from, to;

  /// A position in texels: entry i's centre is at i + 0.5.
  struct Place {
    float x, y, z;
    bool spoilt;  ///< Whether the pixel contains a NaN.
  };
  /// @param in from.channels values.
  CUIMG_HD Place place(const float* in) const {
    float rgb[3];
    detail::read_colors(in, from, rgb);
    PixelShape colors{3, 3, -1};
    if (curves.table != nullptr) curves(rgb, colors);
    return {position(rgb[0], axis[0]), position(rgb[1], axis[1]), position(rgb[2], axis[2]),
            rgb[0] != rgb[0] || rgb[1] != rgb[1] || rgb[2] != rgb[2]};
  }
  /// @param texel read at the place. @param out to.channels values, of which four are written.
  CUIMG_HD void store(const Pixel<4>& texel, const Place& at, const float* in, float* out) const {
    for (int c = 0; c < 4; ++c) {
      const float made =
          select(at.spoilt, float_from_bits(canonical_nan_bits), texel.v[c < 3 ? c : 2]);
      const float kept = detail::channel_of(in, 4, c == to.alpha ? from.alpha : c);
      out[c] = select(c < to.colors && c < 3, made, kept);
    }
  }
  /// Both. @param volume (x, y, z) in texels -> four floats.
  template <class Volume>
  CUIMG_HD void operator()(const Volume& volume, const float* in, float* out) const {
    const Place at = place(in);
    store(volume(at.x, at.y, at.z), at, in, out);
  }

 private:
  CUIMG_HD float position(float value, const TableAxis& along) const {
    return clamp(fma(value, along.scale, along.offset), 0.0f, static_cast<float>(size - 1)) + 0.5f;
  }
};

}  // namespace cuimg

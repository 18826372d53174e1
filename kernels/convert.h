// SPDX-License-Identifier: Apache-2.0
// One pixel from its stored form to another: decode, to linear light, premultiply, primaries,
// channels, and back. CPU rows and the card's kernel carry out the same steps.
#pragma once

#include <cstdint>

#include "kernels/encoding.h"
#include "kernels/math.h"
#include "kernels/platform.h"

namespace cuimg {

/// Where a target channel comes from: a source channel's index, or one of these.
inline constexpr int channel_zero = -1, channel_one = -2;

/// One side of a conversion.
struct PixelForm {
  std::uint8_t type = 0;  ///< A PixelType's value.
  std::int8_t channels = 4;
  std::int8_t alpha = -1;
  Encoding encoding;  ///< Plain where no light is asked for.
};

/// The steps between two forms. Where both sides agree on light only types and channels change.
struct PixelConversion {
  PixelForm from, to;
  bool maps_channels = false;  ///< Anything between decoding and encoding: see convert_light().
  bool composite = false;      ///< Alpha is dropped over `background`.
  bool change_primaries = false;
  std::int8_t source_channel[4] = {0, 1, 2, 3};
  float background[3] = {0, 0, 0};
  float matrix[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
};

/// The steps between linear, premultiplied values of the two sides.
/// @param in from.channels values. @param out to.channels values, apart from `in`.
CUIMG_HD inline void convert_light(const PixelConversion& c, const float* in, float* out) {
  float v[4] = {0, 0, 0, 0};
  for (int i = 0; i < c.from.channels; ++i) v[i] = in[i];
  if (c.composite) {
    const float through = 1.0f - v[c.from.alpha];
    for (int i = 0; i < c.from.channels; ++i)
      if (i != c.from.alpha) v[i] = canonical_nan(fma(through, c.background[i < 3 ? i : 2], v[i]));
  }
  if (c.change_primaries) {
    const float r = v[0], g = v[1], b = v[2];
    for (int i = 0; i < 3; ++i)
      v[i] = canonical_nan(
          fma(c.matrix[3 * i + 2], b, fma(c.matrix[3 * i + 1], g, c.matrix[3 * i] * r)));
  }
  for (int i = 0; i < c.to.channels; ++i) {
    const int source = c.source_channel[i];
    out[i] = source == channel_zero ? 0.0f : source == channel_one ? 1.0f : v[source];
  }
}

}  // namespace cuimg

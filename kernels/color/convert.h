// SPDX-License-Identifier: Apache-2.0
// A pixel's stored form, and the conversion of light between two forms: primaries, alpha, channels.
// kernels/color/encoding.h decodes and encodes.
#pragma once

#include <cstdint>

#include "kernels/color/encoding.h"
#include "kernels/color/pixel_op.h"
#include "kernels/math/math.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// The source of a target channel: a source channel's index, or one of these.
inline constexpr int channel_zero = -1, channel_one = -2;

/// How a pixel is stored on one side of a pass.
struct PixelForm {
  std::uint8_t type = 0;  ///< A PixelType's value.
  PixelShape shape;
  Encoding encoding;  ///< Plain if no light is needed.
};

/// The conversion between the linear, premultiplied values of two forms.
struct LightMap {
  std::int8_t from_channels = 4, from_alpha = -1, to_channels = 4;
  bool composite = false;  ///< Whether alpha is dropped by compositing over `background`.
  bool change_primaries = false;
  std::int8_t source_channel[4] = {0, 1, 2, 3};
  float background[3] = {0, 0, 0};
  float matrix[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
};

/// @param in from_channels values. @param out to_channels values, separate from `in`.
CUIMG_HD inline void map_light(const LightMap& m, const float* in, float* out) {
  float v[4] = {0, 0, 0, 0};
  for (int i = 0; i < 4; ++i)
    if (i < m.from_channels) v[i] = in[i];
  if (m.composite) {
    const float alpha = detail::channel_of(v, 4, m.from_alpha);
    const float through = 1.0f - alpha;
    for (int i = 0; i < 4; ++i)
      if (i < m.from_channels && i != m.from_alpha)
        v[i] = canonical_nan(fma(through, m.background[i < 3 ? i : 2], v[i]));
  }
  if (m.change_primaries) {
    const float r = v[0], g = v[1], b = v[2];
    for (int i = 0; i < 3; ++i)
      v[i] = canonical_nan(
          fma(m.matrix[3 * i + 2], b, fma(m.matrix[3 * i + 1], g, m.matrix[3 * i] * r)));
  }
  for (int i = 0; i < 4; ++i) {
    if (i >= m.to_channels) break;
    const int source = m.source_channel[i];
    out[i] = source == channel_one ? 1.0f : detail::channel_of(v, 4, source);
  }
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The position that a warped picture's pixel reads, and the distance to its neighbours' positions.
#pragma once

#include <cstdint>

#include "kernels/math/platform.h"

namespace cuimg {

/// In 2^-32 texel from the centre of the source's first texel, within 2^30 texels of it.
struct WarpPosition {
  std::int64_t x, y;
};

/// Source texels per target pixel: xy is the change of the source's x with the target's y.
struct WarpDerivative {
  float xx, xy, yx, yy;
  bool operator==(const WarpDerivative&) const = default;
};

inline constexpr double farthest_texel = 0x1p30;

/// Texels as fixed point; positions that are too far out, and NaN, are moved closer.
CUIMG_HD inline std::int64_t fixed_position(double texels) {
  double t = texels > -farthest_texel ? texels : -farthest_texel;
  t = t < farthest_texel ? t : farthest_texel;
  return static_cast<std::int64_t>(t * 0x1p32);
}

}  // namespace cuimg

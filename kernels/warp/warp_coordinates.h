// SPDX-License-Identifier: Apache-2.0
// The position that a warp's pixel reads, as values for an image of coordinates.
#pragma once

#include "kernels/math/pixel.h"
#include "kernels/math/platform.h"
#include "kernels/warp/warp_position.h"

namespace cuimg {

/// Made on the host for a source of that size. Sums and quotients are in double and rounded once.
struct WarpCoordinates {
  double width, height;         ///< Of the source, in texels; 1 where those are what is counted.
  double nothing_x, nothing_y;  ///< For a pixel that sees no point of the source's plane.
  bool is_upward;               ///< y counts from the lower edge; then it is normalised.

  /// @param map one of those in warp_maps.h.
  template <class Map>
  CUIMG_HD Pixel<2> at(const Map& map, int x, int y) const {
    Pixel<2> pixel;
    WarpPosition position;
    if (!map.at(x, y, position)) {
      pixel.v[0] = static_cast<float>(nothing_x);
      pixel.v[1] = static_cast<float>(nothing_y);
      return pixel;
    }
    // Positions are relative to the first texel's centre.
    const double across = (static_cast<double>(position.x) * 0x1p-32 + 0.5) / width;
    const double down = (static_cast<double>(position.y) * 0x1p-32 + 0.5) / height;
    pixel.v[0] = static_cast<float>(across);
    pixel.v[1] = static_cast<float>(is_upward ? 1.0 - down : down);
    return pixel;
  }
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The level and position at which an output pixel reads an environment map. Each face of a cube has
// its own levels: halved together, faces would mix along edges that are not adjacent.
#pragma once

#include "kernels/texture/texture_coordinates.h"
#include "kernels/warp/env_pixel.h"
#include "kernels/warp/mip_read.h"
#include "kernels/warp/normalized_axis.h"

namespace cuimg {

/// The number of texels between a pixel's sides, as xx, and between its upper and lower end, as xy.
/// For latlong it is the angle, in texels of a meridian. Along a parallel near a pole there are
/// more texels, but they are closer together: a level with few of them would be far too coarse
/// along the meridian.
CUIMG_HD inline WarpDerivative env_level_steps(const EnvOutput& to, const EnvLayout& from,
                                               const EnvPixel& pixel) {
  constexpr int half = env_pixel / 2;
  constexpr float per_radian = 0.31830989f;  // 1 / pi
  const auto looks = [&](int x, int y) {
    return to.direction(pixel.face, pixel.x, pixel.y, {x, y});
  };
  const Vector3 across = looks(half, 0) - looks(-half, 0);
  const Vector3 down = looks(0, half) - looks(0, -half);
  if (from.projection == EnvProjection::cube) {
    const Vector3 view = looks(0, 0);
    return {from.texels_along(view, across), from.texels_along(view, down), 0, 0};
  }
  const float texels = static_cast<float>(from.height) * per_radian;
  return {sqrt(dot(across, across)) * texels, sqrt(dot(down, down)) * texels, 0, 0};
}

/// A read between levels.
struct EnvLevelRead {
  int face;    ///< The cube's face, 0 if there are none; -1: the pixel shows no direction.
  float x, y;  ///< Normalised.
  float level;
};

/// The reads of all pixels of an output. Made on the host.
struct EnvLevelReads {
  EnvOutput to;
  EnvLayout from;
  NormalizedAxis columns, rows;
  float first;  ///< The first level that exists.

  EnvLevelReads(const EnvOutput& output, const EnvLayout& source, int first_level)
      : to(output),
        from(source),
        columns(source.width, level_coordinate_bits(longer_side(source))),
        rows(source.height, level_coordinate_bits(longer_side(source))),
        first(static_cast<float>(first_level)) {}

  /// Latlong wraps around. With texels on the edges its last column shows the same as its first:
  /// both count in the levels, which moves their content next to the seam by less than half a
  /// texel.
  Sampler sampler() const {
    Sampler sampler;
    sampler.normalized = true;
    sampler.address[0] = across();
    sampler.address[1] = Address::clamp;
    return sampler;
  }

  CUIMG_HD EnvLevelRead at(int x, int y) const {
    const EnvPixel pixel = env_pixel_at(to.layout, x, y);
    if (pixel.face < 0) return {-1, 0, 0, 0};
    const EnvPosition place = env_place(to, from, pixel);
    const float level = level_of_detail(env_level_steps(to, from, pixel));
    return {place.face, columns.coordinate(across(), place.x),
            rows.coordinate(Address::clamp, place.y), level > first ? level : first};
  }

 private:
  static int longer_side(const EnvLayout& layout) {
    return layout.width > layout.height ? layout.width : layout.height;
  }
  CUIMG_HD Address across() const {
    return from.projection == EnvProjection::latlong ? Address::wrap : Address::clamp;
  }
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Where the coordinates that an image holds read the levels of a picture.
#pragma once

#include "kernels/warp/mip_read.h"
#include "kernels/warp/normalized_axis.h"

namespace cuimg {

/// A read between levels.
struct MapRead {
  float x, y;  ///< Normalised.
  float level;
};

/// What makes reads of an image of coordinates. Made on the host.
struct MapReads {
  /// Coordinates as the image holds them.
  struct Place {
    float x, y;
  };

  NormalizedAxis columns, rows;
  Address address;
  float width, height;  ///< Texels to a coordinate of 1.

  /// @param bits level_coordinate_bits() of the longer side. @param normalized whether coordinates
  /// run over [0, 1], not over texels.
  MapReads(int texture_width, int texture_height, int bits, Address beyond, bool normalized)
      : columns(texture_width, bits),
        rows(texture_height, bits),
        address(beyond),
        width(normalized ? static_cast<float>(texture_width) : 1),
        height(normalized ? static_cast<float>(texture_height) : 1) {}

  /// @param place (int x, int y) -> Place, of the image's pixels. @param image how many there are.
  template <class At>
  CUIMG_HD MapRead at(const At& place, int x, int y, int image_width, int image_height) const {
    const Place here = place(x, y);
    // To the nearer of two neighbours: the farther one may lie past an edge of what is shown, or
    // around the picture's.
    const auto step = [&](bool has_before, int before_x, int before_y, bool has_after, int after_x,
                          int after_y) {
      const float before = has_before ? square(here, place(before_x, before_y)) : none;
      const float after = has_after ? square(here, place(after_x, after_y)) : none;
      const float shorter = before < after ? before : after;
      return shorter < none ? shorter : 0;
    };
    const float across = step(x > 0, x - 1, y, x + 1 < image_width, x + 1, y);
    const float down = step(y > 0, x, y - 1, y + 1 < image_height, x, y + 1);
    return {columns.coordinate(address, position(here.x, width)),
            rows.coordinate(address, position(here.y, height)),
            static_cast<float>(level_of_squares_256(across, down)) * (1.0f / 256)};
  }

 private:
  static constexpr float none = 0x1p100f;  ///< No step is as long.

  // Of the distance in texels; `none` where one of both is no number.
  CUIMG_HD float square(const Place& a, const Place& b) const {
    const float x = (b.x - a.x) * width, y = (b.y - a.y) * height;
    const float squared = x * x + y * y;
    return squared < none ? squared : none;
  }
  // NaN reads at 0, as by the texture unit.
  CUIMG_HD static std::int64_t position(float coordinate, float texels) {
    const double at = coordinate == coordinate ? double{coordinate} * double{texels} : 0;
    return fixed_position(at - 0.5);
  }
};

}  // namespace cuimg

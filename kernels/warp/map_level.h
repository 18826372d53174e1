// SPDX-License-Identifier: Apache-2.0
// The mip levels that coordinates from an image read.
#pragma once

#include "kernels/warp/mip_read.h"
#include "kernels/warp/normalized_axis.h"

namespace cuimg {

/// A read between levels.
struct MapRead {
  float x, y;  ///< Normalised.
  float level;
};

/// Computes the reads for an image of coordinates. Made on the host.
struct MapReads {
  /// Coordinates as stored in the image.
  struct Place {
    float x, y;
  };

  NormalizedAxis columns, rows;
  Address address;
  float width, height;  ///< The number of texels for a coordinate of 1.

  /// @param bits level_coordinate_bits() of the longer side. @param normalized whether coordinates
  /// cover [0, 1] instead of texels.
  MapReads(int texture_width, int texture_height, int bits, Address beyond, bool normalized)
      : columns(texture_width, bits),
        rows(texture_height, bits),
        address(beyond),
        width(normalized ? static_cast<float>(texture_width) : 1),
        height(normalized ? static_cast<float>(texture_height) : 1) {}

  /// @param place (int x, int y) -> Place, of the map's pixels.
  /// @param image_width, image_height the map's size in pixels.
  template <class At>
  CUIMG_HD MapRead at(const At& place, int x, int y, int image_width, int image_height) const {
    const Place here = place(x, y);
    const auto square_to = [&](int i, int j) {
      const bool is_there = i >= 0 && j >= 0 && i < image_width && j < image_height;
      return is_there ? square(here, place(i, j)) : none;
    };
    const float across = nearer(square_to(x - 1, y), square_to(x + 1, y));
    const float down = nearer(square_to(x, y - 1), square_to(x, y + 1));
    return {columns.coordinate(address, position(here.x, width)),
            rows.coordinate(address, position(here.y, height)),
            static_cast<float>(level_of_squares_256(across, down)) * (1.0f / 256)};
  }

 private:
  static constexpr float none = 0x1p100f;  ///< Larger than any step.

  // The squared distance in texels; `none` if one of them is not a number.
  CUIMG_HD float square(const Place& a, const Place& b) const {
    const float x = (b.x - a.x) * width, y = (b.y - a.y) * height;
    const float squared = x * x + y * y;
    return squared < none ? squared : none;
  }
  // The farther of two neighbours may lie beyond an edge of the visible part, or wrap around the
  // picture. Without neighbours nothing shrinks.
  CUIMG_HD static float nearer(float before, float after) {
    const float shorter = before < after ? before : after;
    return shorter < none ? shorter : 0;
  }
  // NaN reads at 0, as in the texture unit.
  CUIMG_HD static std::int64_t position(float coordinate, float texels) {
    const double at = coordinate == coordinate ? double{coordinate} * double{texels} : 0;
    return fixed_position(at - 0.5);
  }
};

}  // namespace cuimg

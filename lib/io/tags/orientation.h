// SPDX-License-Identifier: Apache-2.0
// EXIF's and TIFF's eight orientations, applied while decoded rows are put into the image.
#pragma once

#include <cstddef>

#include "image/image.h"
#include "image/pixel_turn.h"

namespace cuimg {

/// Where stored pixels belong in the upright picture (EXIF 2.32, tag 0x0112: 1 to 8).
struct Orientation {
  int exif = 1;

  /// Whether rows become columns, so that width and height change places.
  bool transposes() const { return exif >= 5; }
  /// What makes the upright picture of the stored pixels.
  PixelTurn turn() const;
  /// Whether stored rows come in the picture's order, so that progress can be reported row by row.
  bool keeps_row_order() const { return exif <= 2; }
};

/// The turn that does what the first does and then the second.
Orientation both(Orientation first, Orientation second);

/// Puts `rows` stored rows, the first of which is row `first`, where they belong in a layer.
/// @param band pixels of the layer's type. @param band_stride bytes from one row to the next.
/// @param stored_width, stored_height of the picture as it lies in the file.
void place_rows(Image& image, int layer, Orientation orientation, int stored_width,
                int stored_height, int first, int rows, const std::byte* band,
                std::size_t band_stride);

}  // namespace cuimg

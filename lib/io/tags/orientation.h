// SPDX-License-Identifier: Apache-2.0
// EXIF's and TIFF's eight orientations, applied while decoded rows are put into the image.
#pragma once

#include <cstddef>
#include <vector>

#include "image/image.h"
#include "image/pixel_turn.h"

namespace cuimg {

/// Maps stored pixels to the upright picture (EXIF 2.32, tag 0x0112: 1 to 8).
struct Orientation {
  int exif = 1;

  /// Whether rows become columns, which swaps width and height.
  bool transposes() const { return exif >= 5; }
  /// The turn from the stored pixels to the upright picture.
  PixelTurn turn() const;
  /// Whether stored rows are in the picture's order, so that progress can be reported row by row.
  bool keeps_row_order() const { return exif <= 2; }
};

/// The turn that equals the first followed by the second.
Orientation both(Orientation first, Orientation second);

/// Puts a picture's stored rows into place in its only layer. Rows that become columns are
/// collected until there are many, because each of them touches every row, and therefore every
/// page, of the image.
class TurnedRows {
 public:
  /// @param image must outlive this. @param width, height of the picture as stored in the file.
  TurnedRows(Image& image, Orientation orientation, int width, int height);
  /// Adds the next rows. @param band pixels of the layer's type. @param stride bytes from one row
  /// to the next.
  void add(int rows, const std::byte* band, std::size_t stride);
  /// Called after the last row.
  void finish();

 private:
  void place(int rows, const std::byte* band, std::size_t band_stride);

  Image& image_;
  const Orientation orientation_;
  const int width_, height_;
  const std::size_t row_bytes_;
  int placed_ = 0, waiting_ = 0;  ///< Numbers of rows.
  std::vector<std::byte> band_;   ///< The rows that wait.
};

}  // namespace cuimg

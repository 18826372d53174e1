// SPDX-License-Identifier: Apache-2.0
// EXIF's and TIFF's eight orientations, applied while decoded rows are put into the image.
#pragma once

#include <cstddef>
#include <vector>

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

/// Puts a picture's stored rows where they belong in its one layer. Rows that become columns wait
/// until they are many: each of them reaches into every row, and so into every page, of the image.
class TurnedRows {
 public:
  /// @param image outlives this. @param width, height of the picture as it lies in the file.
  TurnedRows(Image& image, Orientation orientation, int width, int height);
  /// The next rows. @param band pixels of the layer's type. @param stride bytes from one row to the
  /// next.
  void add(int rows, const std::byte* band, std::size_t stride);
  /// After the last one.
  void finish();

 private:
  void place(int rows, const std::byte* band, std::size_t band_stride);

  Image& image_;
  const Orientation orientation_;
  const int width_, height_;
  const std::size_t row_bytes_;
  int placed_ = 0, waiting_ = 0;  ///< Rows.
  std::vector<std::byte> band_;   ///< Those that wait.
};

}  // namespace cuimg

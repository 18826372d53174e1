// SPDX-License-Identifier: Apache-2.0
// Luminance-chroma EXR to RGB, for any part: what Imf::RgbaInputFile does for files of one part,
// with the same filters, so that the values are the same.
#pragma once

#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfRgba.h>

#include <array>
#include <vector>

#include "image/image.h"

namespace cuimg {

/// The shares of R, G and B in the luminance.
using LuminanceWeights = std::array<float, 3>;

/// Converts rows that hold Y, RY and BY in place of G, R and B to RGB, in the same memory, once the
/// rows that the vertical filter needs have been read.
class ExrLuminanceChroma {
 public:
  /// @param layer of halves, RGB or RGBA, of `image`.
  ExrLuminanceChroma(const Imf::Header& header, Image& image, int layer);

  /// Lets the part read its channels into the layer.
  void add_to(Imf::FrameBuffer& buffer) const;
  /// Rows [0, rows) from the top have been read. @returns how many of them are RGB now.
  int convert(int rows);

 private:
  using Row = std::vector<Imf::Rgba>;

  const Row& filtered(int row) const;
  void take(int row);
  void unpack(int row, Imf::Rgba* target) const;
  void make_rgb(int row, Row& rgb) const;
  void finish(int row);

  Image& image_;
  const int layer_;
  const int x_, y_, width_, height_;
  const std::size_t channels_;
  const bool subsampled_;
  const LuminanceWeights weights_;
  std::vector<Row> filtered_;  ///< Rows whose chroma is whole across, as a ring.
  std::array<Row, 3> rgb_;     ///< The row to finish and its neighbours.
  Row padded_;
  int taken_ = 0, finished_ = 0;
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Converts luminance-chroma EXR to RGB, for any part: Imf::RgbaInputFile does the same for files of
// one part, with the same filters, so the values are equal.
#pragma once

#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfRgba.h>

#include <array>
#include <vector>

#include "image/image.h"

namespace cuimg {

/// The weights of R, G and B in the luminance.
using LuminanceWeights = std::array<float, 3>;

/// Converts rows that hold Y, RY and BY instead of G, R and B to RGB, in the same memory, after the
/// rows that the vertical filter needs have been read.
class ExrLuminanceChroma {
 public:
  /// @param layer of `image`, holding halves, RGB or RGBA.
  ExrLuminanceChroma(const Imf::Header& header, Image& image, int layer);

  /// Makes the part read its channels into the layer.
  void add_to(Imf::FrameBuffer& buffer) const;
  /// Called when rows [0, rows) from the top have been read. @returns how many of them are now RGB.
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
  std::vector<Row> filtered_;  ///< A ring of rows whose chroma is filtered horizontally.
  std::array<Row, 3> rgb_;     ///< The row to finish and its neighbours.
  Row padded_;
  int taken_ = 0, finished_ = 0;
};

}  // namespace cuimg

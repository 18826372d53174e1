// SPDX-License-Identifier: Apache-2.0
// The difference of two layers as a picture of any size, from black over red to yellow.
#pragma once

#include "compare/comparison.h"
#include "image/image.h"

namespace cuimg {

struct ImageLayer {
  const Image& image;
  int index;
};

struct HeatPicture {
  Image image;  ///< 8-bit sRGB.
  /// The difference of the brightest yellow, with integers relative to their largest value.
  double largest = 0;
  /// White: not a number, different ids, or a pixel that one side lacks.
  bool has_beyond = false;
  bool has_forgiven = false;  ///< Blue: pixels that options forgave.
};

/// @param golden, result layers with the same channels. @param window the area to draw, in their
/// coordinates. @param size of the picture, in pixels; each shows the largest difference below it,
/// so a single differing pixel is always visible.
/// @param forgiven with the window that was compared: inside, a pixel that one side lacks counts as
/// black, and outside nothing differs. With an empty window such a pixel is white.
HeatPicture heat_picture(const ImageLayer& golden, const ImageLayer& result,
                         const ForgivenMap& forgiven, const Rect& window, const Rect& size);

}  // namespace cuimg

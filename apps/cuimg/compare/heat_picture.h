// SPDX-License-Identifier: Apache-2.0
// The difference of two layers as a picture of any size, from black over red to yellow.
#pragma once

#include "compare/comparison.h"
#include "image/image.h"

namespace cuimg {

struct HeatPicture {
  Image image;         ///< 8-bit sRGB.
  double largest = 0;  ///< What the brightest yellow means, integers as a share of their largest.
  bool has_beyond = false;    ///< White: no number, other ids, or a pixel that one side lacks.
  bool has_forgiven = false;  ///< Blue: what options forgave.
};

/// @param golden, result layers with the same channels. @param window what is drawn, in their
/// coordinates. @param size of the picture, in pixels; each shows the largest difference below it,
/// so that one pixel is seen in any picture.
/// @param forgiven with the window that was compared: there a pixel that one side lacks is black,
/// and outside nothing differs. With an empty window such a pixel is white.
HeatPicture heat_picture(const Image& golden, int golden_layer, const Image& result,
                         int result_layer, const ForgivenMap& forgiven, const Rect& window,
                         const Rect& size);

}  // namespace cuimg

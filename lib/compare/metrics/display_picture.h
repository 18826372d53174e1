// SPDX-License-Identifier: Apache-2.0
// A layer as a display shows it: linear light in Rec.709's primaries over a background. FLIP and
// colour differences look at this.
#pragma once

#include <array>
#include <vector>

#include "compare/metrics/float_buffer.h"
#include "device/queue.h"
#include "image/image.h"

namespace cuimg {

/// Three floats a pixel, row by row; none is NaN or infinite.
struct DisplayPicture {
  int width = 0, height = 0;
  FloatBuffer rgb;

  const float* row(int y) const {
    return rgb.data() + 3 * static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
  }
};

/// @param layer one that holds colour. @param background linear light behind alpha.
DisplayPicture display_picture(const Image& image, int layer,
                               const std::array<float, 3>& background, const Queue& queue);

}  // namespace cuimg

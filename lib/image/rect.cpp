// SPDX-License-Identifier: Apache-2.0
// A picture's size where it is shown smaller or larger.
#include "image/rect.h"

#include <cmath>

namespace cuimg {

Rect fitted_size(const Rect& picture, float pixel_aspect, int most_width, int most_height,
                 double largest_scale) {
  const double width = picture.width * static_cast<double>(pixel_aspect);
  const double height = picture.height;
  const double scale = std::min({most_width / width, most_height / height, largest_scale});
  const auto side = [&](double length, int most) {
    return std::clamp(static_cast<int>(std::floor(length * scale + 0.5)), 1, most);
  };
  return {0, 0, side(width, most_width), side(height, most_height)};
}

}  // namespace cuimg

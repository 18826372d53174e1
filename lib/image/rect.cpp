// SPDX-License-Identifier: Apache-2.0
#include "image/rect.h"

#include <fmt/format.h>

#include <cmath>

#include "base/message_text.h"

namespace cuimg {

std::string size_text(const Rect& r) { return size_text(r.width, r.height); }

std::string window_text(const Rect& r) { return fmt::format("{}{:+}{:+}", size_text(r), r.x, r.y); }

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

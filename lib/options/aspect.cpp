// SPDX-License-Identifier: Apache-2.0
// The shape of a picture: read from a text, and the sides that it makes of others.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "options/parameter.h"

namespace cuimg {

void parse_value(const std::string& text, const Range&, Aspect& value) {
  const BadValue bad{"is no aspect", "use W:H, such as 3:2, or a number above 0"};
  const auto side = [&](const std::string& part) {
    float number = 0;
    try {
      parse_value(part, Range{}, number);
    } catch (const BadValue&) {
      throw bad;
    }
    if (!(number > 0)) throw bad;
    return number;
  };
  const std::size_t colon = text.find(':');
  Aspect aspect{side(text.substr(0, colon)), 1};
  if (colon != std::string::npos) aspect.height = side(text.substr(colon + 1));
  value = aspect;
}

std::string format_value(const Aspect& value) {
  return fmt::format("{}:{}", value.width, value.height);
}

Rect Aspect::within(const Rect& picture, float pixel_aspect) const {
  return sharing_a_side(picture, pixel_aspect, true);
}

Rect Aspect::around(const Rect& picture, float pixel_aspect) const {
  return sharing_a_side(picture, pixel_aspect, false);
}

Rect Aspect::sharing_a_side(const Rect& picture, float pixel_aspect, bool is_within) const {
  const double pixels =
      static_cast<double>(width) / static_cast<double>(height) / static_cast<double>(pixel_aspect);
  const auto rounded = [](double side) {
    constexpr double too_long = largest_side + 1;
    return static_cast<int>(std::floor(std::clamp(side + 0.5, 1.0, too_long)));
  };
  const bool is_wider = picture.width > picture.height * pixels;
  if (is_wider == is_within) return {0, 0, rounded(picture.height * pixels), picture.height};
  return {0, 0, picture.width, rounded(picture.width / pixels)};
}

}  // namespace cuimg

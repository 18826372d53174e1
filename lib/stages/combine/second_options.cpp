// SPDX-License-Identifier: Apache-2.0
// The position of a second image in the picture.
#include "stages/combine/second_options.h"

#include <cmath>

#include "base/error.h"

namespace cuimg {

const char* const SecondOptions::help_of_at =
    "distance of its display window from that side or corner, inward; along an axis that --gravity "
    "centres, right or down from the middle";
const char* const SecondOptions::help_of_gravity =
    "side or corner of the picture where the second image lies; northwest if only --at is given; "
    "without both, its own coordinates place it";

void SecondOptions::check(const std::string& stage) const {
  if (with.empty()) throw Error(stage, "--with is missing", "name an image");
}

void SecondOptions::check_optional(const std::string& stage) const {
  if (with.empty() && is_placed())
    throw Error(stage, at ? "--at places a second image" : "--gravity places a second image",
                "give it with --with");
}

void SecondOptions::place_second(const std::string& stage, const Spec& input,
                                 const SecondImage& second, CombineRules& rules) const {
  if (!is_placed()) return;
  const Point from = at.value_or(Point{0, 0});
  const auto whole = [&](float coordinate) {
    // Above 2^24 floats cannot represent every whole number.
    if (std::abs(coordinate) > 0x1p24f || std::trunc(coordinate) != coordinate)
      throw Error(stage, "--at " + format_value(from) + " is between pixels or too far away",
                  "use whole numbers up to 16777216");
    return static_cast<int>(coordinate);
  };
  const Rect &frame = input.display_window, &other = second.spec().display_window;
  const Gravity side = gravity.value_or(Gravity::northwest);
  rules.is_placed = true;
  rules.shift_x =
      frame.x + placed_x(side, frame.width, other.width) + whole(inward_x(side, from.x)) - other.x;
  rules.shift_y = frame.y + placed_y(side, frame.height, other.height) +
                  whole(inward_y(side, from.y)) - other.y;
}

}  // namespace cuimg

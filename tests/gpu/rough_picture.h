// SPDX-License-Identifier: Apache-2.0
// Pictures for filters that add up many floats.
#pragma once

#include <cmath>
#include <iterator>
#include <limits>
#include <random>

#include "image/image.h"
#include "same_on_card.h"

namespace cuimg::test {

/// Numbers of any size, so that the result of a sum depends on its order, and a few NaNs,
/// infinities, zeros of either sign and denormals. @param frame the display window's margin around
/// the data window.
inline Image rough_picture(const Rect& window, int frame, int special_every) {
  Spec spec = one_layer(window, PixelType::f32, 4);
  spec.color = {Curve::linear, 1.0f, true, {}};
  spec.display_window = {window.x - frame, window.y - frame / 2, window.width + 2 * frame,
                         window.height + frame};
  Image image(spec);
  std::mt19937 random(static_cast<unsigned>(window.width * 31 + window.height * 7 + frame));
  const float special[] = {std::numeric_limits<float>::quiet_NaN(),
                           -std::numeric_limits<float>::quiet_NaN(),
                           std::numeric_limits<float>::infinity(),
                           -std::numeric_limits<float>::infinity(),
                           -0.0f,
                           0.0f,
                           0x1p-149f,
                           -0x1.8p-130f,
                           std::numeric_limits<float>::max()};
  for (int y = window.y; y < window.bottom(); ++y) {
    auto* row = reinterpret_cast<float*>(image.row(0, y));
    for (int i = 0; i < window.width * 4; ++i) {
      const auto bits = static_cast<int>(random() & 0xffffff);
      const int exponent = static_cast<int>(random() % 40) - 44;
      row[i] = std::ldexp(static_cast<float>(bits - 0x200000), exponent);
      if (random() % static_cast<unsigned>(special_every) == 0)
        row[i] = special[random() % std::size(special)];
    }
  }
  return image;
}

}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// A picture that shows its orientation: an F in a frame, on colours that differ between left and
// right and between top and bottom.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/texture/texture.h"

namespace cuimg::samples {

using Rgba = Texel<std::uint8_t, 4>;

inline std::vector<Rgba> letter(int size) {
  std::vector<Rgba> texels;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const int u = x * 64 / size, v = y * 64 / size;
      const bool stroke = (u >= 18 && u < 26 && v >= 12 && v < 52) ||
                          (u >= 18 && u < 48 && v >= 12 && v < 20) ||
                          (u >= 18 && u < 40 && v >= 28 && v < 36);
      const bool band = (u + v) / 4 % 8 == 0;
      const Rgba ground = {{static_cast<std::uint8_t>(60 + 3 * u),
                            band ? std::uint8_t{150} : std::uint8_t{80},
                            static_cast<std::uint8_t>(250 - 3 * v), 255}};
      texels.push_back(stroke ? Rgba{{255, 255, 255, 255}} : ground);
    }
  return texels;
}

}  // namespace cuimg::samples

// SPDX-License-Identifier: Apache-2.0
// JFIF's colours: full-range 8-bit YCbCr of Rec.601, in 16-bit fixed point as in libjpeg.
#pragma once

#include <cstdint>

#include "kernels/math/platform.h"

namespace cuimg {

struct Triple8 {
  std::uint8_t v[3];
};

CUIMG_HD inline std::uint8_t clamped_to_u8(int value) {
  return static_cast<std::uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
}

CUIMG_HD inline Triple8 rgb_of_ycc(int y, int cb, int cr) {
  constexpr int half = 1 << 15;
  const int b = cb - 128, r = cr - 128;
  return {{clamped_to_u8(y + ((91881 * r + half) >> 16)),               // 1.402
           clamped_to_u8(y + ((-22554 * b - 46802 * r + half) >> 16)),  // 0.344136, 0.714136
           clamped_to_u8(y + ((116130 * b + half) >> 16))}};            // 1.772
}

CUIMG_HD inline Triple8 ycc_of_rgb(int r, int g, int b) {
  // A half is rounded down for differences, which would otherwise reach 256.
  constexpr int half = 1 << 15, middle = (128 << 16) + half - 1;
  return {{static_cast<std::uint8_t>((19595 * r + 38470 * g + 7471 * b + half) >> 16),
           static_cast<std::uint8_t>((-11059 * r - 21709 * g + 32768 * b + middle) >> 16),
           static_cast<std::uint8_t>((32768 * r - 27439 * g - 5329 * b + middle) >> 16)}};
}

}  // namespace cuimg

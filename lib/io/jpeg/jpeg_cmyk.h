// SPDX-License-Identifier: Apache-2.0
// Converts CMYK without a profile to RGB.
#pragma once

namespace cuimg {

/// Simple conversion: ink times paper. Adobe's files store 255 minus the ink.
/// @param rgb three bytes per pixel; may be `cmyk` itself, since three bytes never overtake four.
inline void rgb_of_cmyk(const unsigned char* cmyk, bool adobe, int width, unsigned char* rgb) {
  for (int x = 0; x < width; ++x, cmyk += 4, rgb += 3) {
    const int black = adobe ? cmyk[3] : 255 - cmyk[3];
    for (int c = 0; c < 3; ++c) {
      const int paper = adobe ? cmyk[c] : 255 - cmyk[c];
      rgb[c] = static_cast<unsigned char>((paper * black + 127) / 255);
    }
  }
}

}  // namespace cuimg

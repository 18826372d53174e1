// SPDX-License-Identifier: Apache-2.0
// The texture unit's own sRGB decoding, which is coarse: 32 blocks of 8 codes share a scale.
// Pictures are decoded exactly elsewhere; this is only for the unit's sRGB read mode.
#pragma once

#include <cstdint>

#include "kernels/math/platform.h"

namespace cuimg {

/// Exponent of a code's block: its value is significand * 2^(scale - 14).
CUIMG_HD inline int srgb_scale(int code) {
  static constexpr std::uint8_t scales[32] = {0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4,
                                              4, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7};
  return scales[code >> 3];
}

/// Exact linear value times 2^14, divided by 2^scale and rounded to the nearest integer.
CUIMG_HD inline int srgb_significand(int code) {
  static constexpr std::uint16_t significands[256] = {
      0,   5,   10,  15,  20,  25,  30,  35,  40,  45,  50,  55,  60,  66,  72,  78,  85,  92,  99,
      107, 115, 123, 131, 140, 150, 159, 169, 180, 190, 201, 213, 224, 118, 125, 131, 138, 145, 152,
      159, 166, 174, 182, 190, 198, 206, 215, 224, 233, 121, 126, 131, 136, 141, 146, 151, 156, 162,
      168, 173, 179, 185, 191, 197, 204, 105, 108, 112, 115, 118, 122, 125, 129, 133, 136, 140, 144,
      148, 152, 156, 160, 164, 169, 173, 177, 182, 186, 191, 195, 200, 205, 209, 214, 219, 224, 229,
      234, 120, 122, 125, 128, 130, 133, 136, 139, 142, 145, 148, 151, 154, 157, 160, 163, 166, 169,
      172, 176, 179, 182, 186, 189, 192, 196, 199, 203, 206, 210, 214, 217, 221, 225, 229, 232, 236,
      240, 244, 248, 126, 128, 130, 132, 134, 136, 138, 141, 143, 145, 147, 149, 152, 154, 156, 158,
      161, 163, 165, 168, 170, 173, 175, 178, 180, 182, 185, 188, 190, 193, 195, 198, 200, 203, 206,
      209, 211, 214, 217, 219, 222, 225, 228, 231, 234, 237, 240, 242, 123, 124, 126, 127, 129, 130,
      132, 133, 135, 137, 138, 140, 141, 143, 145, 146, 148, 150, 151, 153, 155, 156, 158, 160, 161,
      163, 165, 167, 169, 170, 172, 174, 176, 178, 179, 181, 183, 185, 187, 189, 191, 193, 195, 197,
      199, 201, 203, 205, 207, 209, 211, 213, 215, 217, 219, 221, 223, 225, 227, 229, 232, 234, 236,
      238, 120, 121, 122, 123, 125, 126, 127, 128,
  };
  return significands[code];
}

}  // namespace cuimg

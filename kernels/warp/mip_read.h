// SPDX-License-Identifier: Apache-2.0
// The level of a mipmapped picture that a warp reads, chosen by the footprint of a pixel.
#pragma once

#include <cstdint>

#include "kernels/math/bits.h"
#include "kernels/math/platform.h"
#include "kernels/warp/warp_position.h"

namespace cuimg {

/// log2 of the number of source texels along the longer of the two steps to the next pixel in x and
/// y, in units of 1/256, rounded down; 0 if the picture is enlarged.
/// @param across, down the squares of their lengths.
CUIMG_HD inline int level_of_squares_256(float across, float down) {
  const float squared = across > down ? across : down;
  constexpr int fraction_bits = 7;  // for log2 of a square: 1/128 of it is 1/256 for the length
  if (!(across + down < 0x1p120f)) return 60 << 8;  // beyond any last level
  if (!(squared >= 1.0f)) return 0;
  const std::uint32_t bits = bits_of(squared);
  int log = static_cast<int>(bits >> 23) - 127;
  // The next binary digit of the logarithm is 1 if the square is at least 2.
  std::uint64_t significand = (bits & 0x7fffffu) << 8 | 0x80000000u;
  for (int i = 0; i < fraction_bits; ++i) {
    const std::uint64_t square = significand * significand;
    const bool passes = square >> 63 != 0;
    significand = square >> (passes ? 32 : 31);
    log = 2 * log + (passes ? 1 : 0);
  }
  return log;
}
CUIMG_HD inline int level_of_detail_256(const WarpDerivative& d) {
  return level_of_squares_256(d.xx * d.xx + d.yx * d.yx, d.xy * d.xy + d.yy * d.yy);
}

/// The same in the texture unit's form; exact.
CUIMG_HD inline float level_of_detail(const WarpDerivative& d) {
  return static_cast<float>(level_of_detail_256(d)) * (1.0f / 256);
}

}  // namespace cuimg

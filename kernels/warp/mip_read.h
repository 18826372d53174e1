// SPDX-License-Identifier: Apache-2.0
// The level of a mipmapped picture that a warp reads, chosen by the footprint of a pixel.
#pragma once

#include <cstdint>

#include "kernels/math/bits.h"
#include "kernels/math/platform.h"
#include "kernels/warp/warp_position.h"

namespace cuimg {

/// log2 of how many source texels lie along the longer of the two steps to the next pixel across
/// and down, in 1/256, rounded down; 0 where the picture is enlarged.
/// @param across, down the squares of their lengths.
CUIMG_HD inline int level_of_squares_256(float across, float down) {
  const float squared = across > down ? across : down;
  constexpr int fraction_bits = 7;  // of log2 of a square: 1/128 is 1/256 of the length's
  if (!(across + down < 0x1p120f)) return 60 << 8;  // past any last level
  if (!(squared >= 1.0f)) return 0;
  const std::uint32_t bits = bits_of(squared);
  int log = static_cast<int>(bits >> 23) - 127;
  // The next binary digit of a logarithm is whether the square passes 2.
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

/// The same as the texture unit takes it; exact.
CUIMG_HD inline float level_of_detail(const WarpDerivative& d) {
  return static_cast<float>(level_of_detail_256(d)) * (1.0f / 256);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// A curve through points: cubics or lines between them, straight on beyond both ends.
#pragma once

#include "kernels/math.h"
#include "kernels/pixel_op.h"

namespace cuimg {

/// The table holds the points' x in ascending order, then a Piece for before the first, one for
/// after each.
struct Spline {
  struct Piece {
    float from, value, slope, square,
        cube;  ///< value + d (slope + d (square + d cube)), d = x - from
  };
  static constexpr int piece_floats = 5;

  const float* table = nullptr;
  int table_size = 0;
  int points = 0;
  int first_step = 0;  ///< The largest power of two that is no more than `points`.
  std::uint8_t channels = 0;

  CUIMG_HD float value(float x) const {
    int below = 0;  // how many points lie at or before x
    for (int step = first_step; step > 0; step >>= 1)
      if (below + step <= points && table[below + step - 1] <= x) below += step;
    const float* const piece = table + points + piece_floats * below;
    const float d = x - piece[0];
    // Infinity times nothing is nothing here: a level end stays level, a straight one straight.
    const float square =
        piece[3] == 0.0f && piece[4] == 0.0f ? 0.0f : d * fma(d, piece[4], piece[3]);
    const float slope = piece[2] + square;
    return canonical_nan(slope == 0.0f && x == x ? piece[1] : fma(d, slope, piece[1]));
  }
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// A curve through points: cubics or lines between them, continued as lines beyond both ends.
#pragma once

#include "kernels/color/pixel_op.h"
#include "kernels/math/math.h"

namespace cuimg {

/// The table contains the points' x in ascending order, then NaNs up to a power of two minus one,
/// then a Piece for the range before the first point and for that after each point.
struct Spline {
  struct Piece {
    float from, value, slope, square,
        cube;  ///< value + d (slope + d (square + d cube)), d = x - from
  };
  static constexpr int piece_floats = 5;

  const float* table = nullptr;
  int table_size = 0;
  int first_step = 0;  ///< The largest power of two not above the number of points.
  std::uint8_t channels = 0;

  /// One step of the search for the number of points at or before x: with steps from first_step to
  /// 1, each half the previous one. The NaNs in the table are not at or before any x.
  CUIMG_HD int searched(float x, int below, int step) const {
    return below + select(table[below + step - 1] <= x, step, 0);
  }
  CUIMG_HD float on_piece(float x, int below) const {
    const float* const piece = table + (2 * first_step - 1) + piece_floats * below;
    const float d = x - piece[0];
    // Infinity times 0 must be 0 here: a level end stays level, and a straight one straight.
    const bool is_line = (piece[3] == 0.0f) & (piece[4] == 0.0f);
    const float square = select(is_line, 0.0f, d * fma(d, piece[4], piece[3]));
    const float slope = piece[2] + square;
    const bool is_level = (slope == 0.0f) & (x == x);
    return canonical_nan(select(is_level, piece[1], fma(d, slope, piece[1])));
  }

  CUIMG_HD float value(float x) const {
    int below = 0;
    for (int step = first_step; step > 0; step >>= 1) below = searched(x, below, step);
    return on_piece(x, below);
  }
};

}  // namespace cuimg

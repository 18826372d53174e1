// SPDX-License-Identifier: Apache-2.0
// Source positions of pixels that only move: turned, flipped or shifted, with the border's rule
// beyond the edges.
#pragma once

#include <cstdint>

#include "kernels/math/platform.h"
#include "kernels/texture/border.h"

namespace cuimg {

/// A signed permutation of the axes and a shift, from target to source. Coordinates are absolute.
struct IndexMap {
  /// An index of the source for a coordinate of the target: sign * coordinate + shift.
  struct Axis {
    int sign = 1;
    /// Modulo 2^32, so that intermediate sums may exceed int.
    std::uint32_t shift = 0;

    CUIMG_HD int operator()(int coordinate) const {
      return static_cast<int>(
          static_cast<std::uint32_t>(sign) * static_cast<std::uint32_t>(coordinate) + shift);
    }
    /// The coordinate that reads this index.
    CUIMG_HD int inverse(int index) const {
      return static_cast<int>(static_cast<std::uint32_t>(sign) *
                              (static_cast<std::uint32_t>(index) - shift));
    }
  };

  bool transposed = false;   ///< Whether the target's x selects the source's rows.
  Axis column, row;          ///< The mapping to the source's columns and rows,
  BorderAxis columns, rows;  ///< and the existing ones.

  /// Whether an index is outside the picture's frame: without pixels there, it has the border's
  /// colour.
  CUIMG_HD static bool is_beyond(const BorderAxis& axis, int index) {
    return axis.rule == BorderRule::zero && (index < axis.frame_low || index >= axis.frame_high);
  }
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The pixel that an index beyond an image's edge reads, along one axis: one rule for every stage
// that uses neighbouring pixels.
#pragma once

#include <cstdint>

#include "kernels/math/platform.h"

namespace cuimg {

enum class BorderRule : std::uint8_t { clamp, wrap, mirror, zero };

/// An axis of an image: pixels are in [low, high), the picture's frame is [frame_low, frame_high).
/// Outside the pixels everything is zero, but at an edge where the pixels reach or pass the frame,
/// the rule applies.
struct BorderAxis {
  static constexpr int nothing = INT32_MIN;

  int low, high;
  int frame_low, frame_high;
  BorderRule rule;

  /// The pixel to read for index i: in [low, high), or `nothing` for zero.
  CUIMG_HD int operator()(int i) const {
    if (i >= low && i < high) return i;
    const bool meets = i < low ? low <= frame_low : high >= frame_high;
    if (!meets || rule == BorderRule::zero) return nothing;
    // Pixels beyond the frame belong to the picture here: the edge is where they end.
    const int first = low < frame_low ? low : frame_low;
    const int size = (high > frame_high ? high : frame_high) - first;
    int offset = i - first;
    if (rule == BorderRule::clamp) {
      offset = offset < 0 ? 0 : size - 1;
    } else if (rule == BorderRule::wrap) {
      offset %= size;
      if (offset < 0) offset += size;
    } else {
      offset %= 2 * size;
      if (offset < 0) offset += 2 * size;
      if (offset >= size) offset = 2 * size - 1 - offset;
    }
    const int result = first + offset;
    return result >= low && result < high ? result : nothing;
  }
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Straight lines applied to values, converted from doubles to the floats of kernels/color/line.h.
#pragma once

#include "kernels/color/line.h"

namespace cuimg {

/// (x - from) * slope + to.
struct LineThrough {
  double from, slope, to;
};

/// A line for each channel of a mask. @param of (channel) -> LineThrough.
template <class Of>
Line line_of(std::uint8_t channels, const Of& of) {
  Line line;
  line.channels = channels;
  for (int c = 0; c < 4; ++c) {
    const LineThrough through = of(c);
    line.from[c] = static_cast<float>(through.from);
    line.slope[c] = static_cast<float>(through.slope);
    line.slope_low[c] = static_cast<float>(through.slope - static_cast<double>(line.slope[c]));
    line.to[c] = static_cast<float>(through.to);
  }
  return line;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Resampling of components with half the picture's width or height, as in libjpeg: enlarged by a
// triangle filter ("fancy upsampling"), reduced by averages.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/math/platform.h"

namespace cuimg {

/// Samples of a component, in rows.
struct SamplePlane {
  const std::uint8_t* samples;
  int pitch;               ///< Bytes from row to row.
  int width, height;       ///< The component's own size; samples beyond it belong to blocks.
  int h_factor, v_factor;  ///< The factors from the component's size to the picture's.

  CUIMG_HD int at(int x, int y) const {
    return samples[static_cast<std::size_t>(y) * static_cast<std::size_t>(pitch) +
                   static_cast<std::size_t>(x)];
  }
};

/// The component's value at a pixel of the picture. For factors other than 1 and 2, and widths
/// below 3, samples are repeated without a filter.
CUIMG_HD inline int upsampled(const SamplePlane& p, int x, int y) {
  const bool is_wide = p.width > 2, halved_in_x = p.h_factor == 2, halved_in_y = p.v_factor == 2;
  if (halved_in_x && p.v_factor == 1 && is_wide) {
    const int c = x / 2, own = 3 * p.at(c, y);
    if (x % 2 == 0) return c == 0 ? p.at(0, y) : (own + p.at(c - 1, y) + 1) >> 2;
    return c == p.width - 1 ? p.at(c, y) : (own + p.at(c + 1, y) + 2) >> 2;
  }
  const int row = y / p.v_factor;
  const int neighbor = y % 2 == 0 ? (row == 0 ? 0 : row - 1)
                                  : (row == p.height - 1 ? row : row + 1);  // of two rows a sample
  if (halved_in_x && halved_in_y && is_wide) {
    const auto sum = [&](int c) { return 3 * p.at(c, row) + p.at(c, neighbor); };
    const int c = x / 2, own = sum(c);
    if (x % 2 == 0) return (3 * own + (c == 0 ? own : sum(c - 1)) + 8) >> 4;
    return (3 * own + (c == p.width - 1 ? own : sum(c + 1)) + 7) >> 4;
  }
  if (p.h_factor == 1 && halved_in_y)
    return (3 * p.at(x, row) + p.at(x, neighbor) + (y % 2 == 0 ? 1 : 2)) >> 2;
  return p.at(x / p.h_factor, row);
}

/// A sample of a component of a picture. Beyond the edges the picture's last column, and the
/// component's last row, are repeated.
/// @param value value(x, y) of the component at a pixel of the picture.
/// @param x, y in the component, possibly beyond its own samples.
/// @param h_factor, v_factor 1 or 2; with v_factor 2, h_factor is 2.
template <class Value>
CUIMG_HD int downsampled(const Value& value, int width, int height, int x, int y, int h_factor,
                         int v_factor) {
  const int rows = (height + v_factor - 1) / v_factor;
  const int top = (y < rows ? y : rows - 1) * v_factor, left = x * h_factor;
  const int x0 = left < width ? left : width - 1;
  if (h_factor == 1) return value(x0, top);
  const int x1 = left + 1 < width ? left + 1 : width - 1;
  // Halves are rounded up and down alternately, so that the mean does not drift.
  const int odd = x % 2;
  if (v_factor == 1) return (value(x0, top) + value(x1, top) + odd) >> 1;
  const int below = top + 1 < height ? top + 1 : height - 1;
  return (value(x0, top) + value(x1, top) + value(x0, below) + value(x1, below) + 1 + odd) >> 2;
}

}  // namespace cuimg

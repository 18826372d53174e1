// SPDX-License-Identifier: Apache-2.0
// A plate with sources whose temperature is constant.
#pragma once

#include <vector>

#include "kernels/math/platform.h"

namespace cuimg::samples {

/// The plate's cells, row after row. In a plate of sources, 0 means that a cell is no source.
using Plate = std::vector<float>;

/// @param size cells along each side, a multiple of 64.
inline Plate sources(int size) {
  Plate plate(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
  const auto fill = [&](int x, int y, int width, int height, float heat) {
    for (int j = y * size / 64; j < (y + height) * size / 64; ++j)
      for (int i = x * size / 64; i < (x + width) * size / 64; ++i)
        plate[static_cast<std::size_t>(j * size + i)] = heat;
  };
  fill(10, 8, 4, 40, 1.0f);
  fill(30, 26, 14, 6, 0.8f);
  fill(46, 46, 10, 10, 0.02f);
  fill(50, 6, 3, 3, 1.0f);
  return plate;
}

/// The coordinate of a cell's centre: a texel's lies at a half.
CUIMG_HD inline float centre(int cell) { return static_cast<float>(cell) + 0.5f; }

/// The index of a neighbouring cell, or of the cell itself if the neighbour is beyond the edge.
CUIMG_HD inline int neighbour(int x, int y, int dx, int dy, int size) {
  const bool inside = x + dx >= 0 && x + dx < size && y + dy >= 0 && y + dy < size;
  return inside ? (y + dy) * size + x + dx : y * size + x;
}

}  // namespace cuimg::samples

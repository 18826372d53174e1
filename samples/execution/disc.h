// SPDX-License-Identifier: Apache-2.0
// A disc, and squares that are cut into quarters where its edge crosses them. In integers, so that
// every device finds the same squares. For nvcc.
#pragma once

#include <algorithm>

namespace cuimg::samples {

constexpr int least = 8;  // the side of squares that are not cut

struct Square {
  int x, y, side, level;
  __host__ __device__ Square quarter(unsigned which) const {
    const int half = side / 2;
    return {x + (which % 2 == 1 ? half : 0), y + (which / 2 == 1 ? half : 0), half, level + 1};
  }
};

/// The disc's middle is the picture's, its radius 2/5 of the side. In half pixels, so that a
/// pixel's centre is a whole number.
__host__ __device__ inline long long squared(long long value) { return value * value; }
__host__ __device__ inline bool is_inside(int x, int y, int side) {
  return squared(2 * x + 1 - side) + squared(2 * y + 1 - side) <= squared(4 * side / 5);
}

enum class Where { inside, outside, on_the_edge };

__host__ __device__ inline Where place_of(const Square& square, int side) {
  long long nearest = 0, farthest = 0;
  for (int start : {square.x, square.y}) {
    const int low = 2 * start + 1 - side, high = low + 2 * (square.side - 1);
    nearest += squared(low > 0 ? low : high < 0 ? high : 0);
    farthest += squared(-low > high ? low : high);
  }
  const long long radius = squared(4 * side / 5);
  return farthest <= radius ? Where::inside
         : nearest > radius ? Where::outside
                            : Where::on_the_edge;
}

/// The number of squares that are cut, and the number of levels.
inline void expect(const Square& square, int side, int& cuts, int& levels) {
  if (square.level > 0 && (place_of(square, side) != Where::on_the_edge || square.side <= least))
    return;
  ++cuts;
  levels = std::max(levels, square.level + 1);
  for (unsigned q = 0; q < 4; ++q) expect(square.quarter(q), side, cuts, levels);
}

}  // namespace cuimg::samples

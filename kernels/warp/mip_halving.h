// SPDX-License-Identifier: Apache-2.0
// The levels of a mipmapped picture: each is a box-filtered halving of the previous one, with sides
// rounded down as in CUDA. An odd side is also covered evenly: the picture does not shift and no
// texel is left out.
#pragma once

#include "kernels/math/platform.h"
#include "kernels/stencil/resample.h"
#include "kernels/texture/mip_sides.h"

namespace cuimg {

/// Up to three texels of the finer level that a texel of the next one covers along an axis, and
/// their weights: multiples of 2^-23 with the sum 1, so opaque remains opaque.
struct HalvedTaps {
  int first, count;
  float weight[3];

  /// @param index a texel of the next level. @param side of the finer level.
  CUIMG_HD HalvedTaps(int index, int side) : first(2 * index), count(2), weight{0.5f, 0.5f, 0.0f} {
    if (side == 1) {
      count = 1;
      weight[0] = 1.0f;
    } else if (side % 2 != 0) {
      // For side = 2 m + 1 texels, each of the m next ones covers 2 + 1/m: the rest of the first
      // texel that it overlaps, all of the second and a part of the third.
      const int m = side / 2;
      const auto whole = static_cast<float>(side);
      count = 3;
      // Floats between 1 and 2 are 2^-23 apart, so the sum rounds to that.
      weight[0] = (1.0f + static_cast<float>(m - index) / whole) - 1.0f;
      weight[2] = (1.0f + static_cast<float>(index + 1) / whole) - 1.0f;
      weight[1] = 1.0f - weight[0] - weight[2];
    }
  }
};

/// The mean of four texels, in the steps of mip_halved_texel(). @param texels near x and near y,
/// far x, far y, far both.
template <int N>
CUIMG_HD inline Pixel<N> mip_mean(const Pixel<N> (&texels)[4]) {
  TapSum<N> sum;
  for (int j = 0; j < 2; ++j) {
    TapSum<N> row;
    for (int i = 0; i < 2; ++i) row.add(0.5f, texels[2 * j + i]);
    sum.add(0.5f, row.sum);
  }
  return sum.result();
}

/// Texel (x, y) of the next level: rows first, then their sum, tap by tap in float.
/// @param fetch (x, y) -> Pixel<N> of the finer level, whose size is width x height.
template <int N, class Fetch>
CUIMG_HD inline Pixel<N> mip_halved_texel(int x, int y, int width, int height, const Fetch& fetch) {
  const HalvedTaps columns(x, width), rows(y, height);
  TapSum<N> sum;
  for (int j = 0; j < rows.count; ++j) {
    TapSum<N> row;
    for (int i = 0; i < columns.count; ++i)
      row.add(columns.weight[i], fetch(columns.first + i, rows.first + j));
    sum.add(rows.weight[j], row.sum);
  }
  return sum.result();
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Colour grids on a card, with a line of 128 bytes for each cell's eight corners. Pixels with
// different colours read scattered entries of the table, and each line that a warp accesses takes
// the cache one cycle. So four lanes together read four entries of one pixel, which are in one
// line, instead of each lane reading its own from four lines.
#pragma once

#include "device/cuda/cuda_rows.cuh"
#include "kernels/color/lut_op.h"

namespace cuimg {

/// In a line: the first and the last share 32 bytes, as do half of all pairs between.
__device__ inline CellCorners corners_in_line() { return {0, {2, 4, 6}, {5, 7, 3}, 1}; }
constexpr int line_entries = 8;

/// @param lines (size - 1)^3 of them.
__global__ inline void make_cells_kernel(const float4* grid, int size, float4* lines) {
  const int cells = size - 1;
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= cells * cells * cells) return;
  const int x = i % cells, y = i / cells % cells, z = i / (cells * cells);
  const float4* const from = grid + ((z * size + y) * size + x);
  float4* const to = lines + i * line_entries;
  const CellCorners source = corners_in_grid(size), target = corners_in_line();
  to[target.first] = from[source.first];
  to[target.last] = from[source.last];
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    to[target.near[axis]] = from[source.near[axis]];
    to[target.far[axis]] = from[source.far[axis]];
  }
}

/// Entries of each lane's cell, by their positions in its line. All lanes of a warp take part.
template <int entries>
__device__ void read_line(const float* lines, int cell, const int (&place)[entries],
                          detail::GridEntry* e) {
  constexpr unsigned all = 0xffffffffu;
  const int lane = static_cast<int>(threadIdx.x) & 3;
#pragma unroll
  for (int first = 0; first < entries; first += 4) {
    const int packed = cell << 12 | place[first + 3] << 9 | place[first + 2] << 6 |
                       place[first + 1] << 3 | place[first];
    // One entry of each of the four lanes' pixels;
    float v[4][3];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int of = __shfl_sync(all, packed, k, 4);
      const Pixel<4> entry =
          load<4>(lines + 4 * ((of >> 12) * line_entries + (of >> (3 * lane) & 7)));
#pragma unroll
      for (int c = 0; c < 3; ++c) v[k][c] = entry.v[c];
    }
    // then a square of four by four is transposed: every entry goes to its pixel's lane.
    const bool odd = (lane & 1) != 0, upper = (lane & 2) != 0;
#pragma unroll
    for (int c = 0; c < 3; ++c) {
#pragma unroll
      for (int k = 0; k < 4; k += 2) {
        const float got = __shfl_xor_sync(all, odd ? v[k][c] : v[k + 1][c], 1);
        v[k][c] = odd ? got : v[k][c];
        v[k + 1][c] = odd ? v[k + 1][c] : got;
      }
#pragma unroll
      for (int k = 0; k < 2; ++k) {
        const float got = __shfl_xor_sync(all, upper ? v[k][c] : v[k + 2][c], 2);
        v[k][c] = upper ? got : v[k][c];
        v[k + 2][c] = upper ? v[k + 2][c] : got;
      }
#pragma unroll
      for (int k = 0; k < 4; ++k) e[first + k].v[c] = v[k][c];
    }
  }
}

/// The same as op(v, shape), with the table's cells.
template <class How>
__device__ void apply_cells(const GridTable<How>& op, float* v, const PixelShape& shape) {
  const auto at = op.place(v, shape);
  const auto path = How::path(corners_in_line(), at.x.fraction, at.y.fraction, at.z.fraction);
  const int cells = op.size - 1;
  detail::GridEntry entries[How::entries];
  read_line(op.table, (at.z.index * cells + at.y.index) * cells + at.x.index, path.entry, entries);
  float made[3];
  How::mix(path, entries, made);
  op.store(made, at, shape, v);
}

}  // namespace cuimg

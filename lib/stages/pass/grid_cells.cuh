// SPDX-License-Identifier: Apache-2.0
// Colour grids on a card, with a line for each cell's eight corners. Pixels with different colours
// read scattered entries of the table, and each line that a warp accesses takes the cache one
// cycle. So four lanes together read one pixel's line, instead of each lane reading its own from
// four lines.
#pragma once

#include "device/cuda/cuda_rows.cuh"
#include "kernels/color/lut_op.h"
#include "stages/pass/four_lanes.cuh"

namespace cuimg {

/// The lines of a grid's cells, and their interpolation by four lanes. All lanes of a warp take
/// part in load_cell() and mix().
template <class How>
struct CellLine;

/// Eight entries of four floats. Each of four lanes reads one of the four entries on the path.
template <>
struct CellLine<Tetrahedral> {
  static constexpr int floats = 32;

  /// Entries of a line: the first and the last share 32 bytes, as do half of all pairs between.
  __device__ static CellCorners corners() { return {0, {2, 4, 6}, {5, 7, 3}, 1}; }

  __device__ static void make(const float4* from, int size, float* line) {
    float4* const to = reinterpret_cast<float4*>(line);
    const CellCorners source = corners_in_grid(size), target = corners();
    to[target.first] = from[source.first];
    to[target.last] = from[source.last];
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
      to[target.near[axis]] = from[source.near[axis]];
      to[target.far[axis]] = from[source.far[axis]];
    }
  }

  /// One entry on the path of each of the four lanes' pixels.
  struct Loaded {
    Tetrahedral::Path path;
    float v[3][4];
  };
  template <class Place>
  __device__ static Loaded load_cell(const float* lines, int cell, const Place& at) {
    Loaded loaded;
    loaded.path = Tetrahedral::path(corners(), at.x.fraction, at.y.fraction, at.z.fraction);
    const int* const entry = loaded.path.entry;
    const int lane = static_cast<int>(threadIdx.x) & 3;
    const int packed = cell << 12 | entry[3] << 9 | entry[2] << 6 | entry[1] << 3 | entry[0];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int of = of_four_lanes(packed, k);
      const Pixel<4> texel = load<4>(lines + (of >> 12) * floats + 4 * (of >> (3 * lane) & 7));
#pragma unroll
      for (int c = 0; c < 3; ++c) loaded.v[c][k] = texel.v[c];
    }
    return loaded;
  }
  /// Every entry goes to its pixel's lane.
  template <class Place>
  __device__ static void mix(Loaded& loaded, const Place&, float* made) {
#pragma unroll
    for (int c = 0; c < 3; ++c) transpose_in_four_lanes(loaded.v[c]);
#pragma unroll
    for (int c = 0; c < 3; ++c) {
      const float* const v = loaded.v[c];
      made[c] = Tetrahedral::mix(loaded.path, v[0], v[1], v[2], v[3]);
    }
  }
};

/// Eight floats of each channel, then nothing, so that no line is in two of the cache. Each of
/// three lanes interpolates one channel, of the four lanes' pixels one after the other.
template <>
struct CellLine<Trilinear> {
  static constexpr int floats = 32;

  __device__ static void make(const float4* from, int size, float* line) {
#pragma unroll
    for (int corner = 0; corner < 8; ++corner) {
      const float4 entry = from[(corner & 1) + size * ((corner >> 1 & 1) + size * (corner >> 2))];
      line[corner] = entry.x, line[8 + corner] = entry.y, line[16 + corner] = entry.z;
    }
  }

  struct Loaded {
    const float* lines;
    int cell;
  };
  template <class Place>
  __device__ static Loaded load_cell(const float* lines, int cell, const Place&) {
    return {lines, cell};
  }
  template <class Place>
  __device__ static void mix(const Loaded& loaded, const Place& at, float* made) {
    const int lane = static_cast<int>(threadIdx.x) & 3, channel = lane < 3 ? lane : 2;
    const float* const lines = loaded.lines + 8 * channel;
    float v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const float* const from = lines + of_four_lanes(loaded.cell, k) * floats;
      const Pixel<4> near = load<4>(from), far = load<4>(from + 4);
      const float x = of_four_lanes(at.x.fraction, k), y = of_four_lanes(at.y.fraction, k);
      v[k] = detail::between(face(near, x, y), face(far, x, y), of_four_lanes(at.z.fraction, k));
    }
    transpose_in_four_lanes(v);
    for (int c = 0; c < 3; ++c) made[c] = v[c];
  }

 private:
  __device__ static float face(const Pixel<4>& e, float x, float y) {
    return detail::between(detail::between(e.v[0], e.v[1], x), detail::between(e.v[2], e.v[3], x),
                           y);
  }
};

/// @param lines (size - 1)^3 of them.
template <class How>
__global__ void make_cells_kernel(const float4* grid, int size, float* lines) {
  const int cells = size - 1;
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= cells * cells * cells) return;
  const int x = i % cells, y = i / cells % cells, z = i / (cells * cells);
  CellLine<How>::make(grid + ((z * size + y) * size + x), size, lines + i * CellLine<How>::floats);
}

/// The same as op(v[i], shape) for all pixels, with the table's cells.
template <int pixels, class How>
__device__ void apply_cells(const GridTable<How>& op, float (*v)[4], const PixelShape& shape) {
  using Line = CellLine<How>;
  typename GridTable<How>::Place at[pixels];
  typename Line::Loaded loaded[pixels];
  const int cells = op.size - 1;
#pragma unroll
  for (int i = 0; i < pixels; ++i) {
    at[i] = op.place(v[i], shape);
    loaded[i] = Line::load_cell(
        op.table, (at[i].z.index * cells + at[i].y.index) * cells + at[i].x.index, at[i]);
  }
#pragma unroll
  for (int i = 0; i < pixels; ++i) {
    float made[3];
    Line::mix(loaded[i], at[i], made);
    op.store(made, at[i], shape, v[i]);
  }
}

}  // namespace cuimg

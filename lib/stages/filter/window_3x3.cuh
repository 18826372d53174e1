// SPDX-License-Identifier: Apache-2.0
// The 3x3 texels around each pixel of a card's frame, for filters of that size: a thread goes down
// a column and reads each row's three texels once, some rows before it needs them.
#pragma once

#include <algorithm>

#include "device/cuda/cuda_border.cuh"
#include "device/cuda/cuda_limits.h"
#include "device/cuda/cuda_map_pixels.cuh"
#include "stages/filter/convolution_cuda.cuh"

namespace cuimg {

inline constexpr int rows_of_3x3 = 8;  // that a thread makes
inline constexpr int threads_of_3x3 = 128;

// The threads of a warp make neighbours of a row, so that its reads follow each other in memory.
// For an array half of them make the row below, and each goes down two rows at a time: its sectors
// are two rows high.
template <class Memory>
struct Tile3x3 {
  static constexpr int step = Memory::is_array() ? 2 : 1;
  static constexpr int columns = 32 / step;  // of a warp
  static constexpr int width = threads_of_3x3 / step, height = rows_of_3x3 * step;
};

/// Three texels of a row: to the left of a column, in it, and to its right.
template <int N>
struct Texels3 {
  Pixel<N> v[3];
};

namespace detail {

/// Reads by the border's rule.
template <int N>
class Rows3 {
 public:
  __device__ Rows3(const CudaRows<float, N>& source, const BorderAxis& columns,
                   const BorderAxis& rows, int x)
      : source_(source), rows_(rows) {
    for (int i = 0; i < 3; ++i) columns_[i] = border_index(columns, x - 1 + i);
  }
  __device__ Texels3<N> operator()(int y) const {
    Texels3<N> texels;
    const int row = border_index(rows_, y);
    for (int i = 0; i < 3; ++i) texels.v[i] = load_or_zero(source_, columns_[i], row);
    return texels;
  }

 private:
  const CudaRows<float, N>& source_;
  const BorderAxis& rows_;
  int columns_[3];
};

/// Rows top to bottom of a column whose neighbours are not all in the source, or fewer rows.
template <int step, class Read, class Target, class Make>
__device__ inline void make_at_edge(const Read& read, const Target& target, int x, int top,
                                    int bottom, const Make& make) {
  auto upper = read(top - 1), middle = read(top);
#pragma unroll 1
  for (int y = top; y < bottom; y += step) {
    const auto lower = read(y + 1);
    target.store_streaming(x, y, make(upper, middle, lower, x, y));
    upper = step == 1 ? middle : lower;
    middle = step == 1 ? lower : read(y + 2);
  }
}

/// rows_of_3x3 rows of a column whose neighbours are all in the source.
template <int step, int ahead, int N, class Target, class Make>
__device__ inline void make_inside(const CudaRows<float, N>& source, const Target& target, int x,
                                   int top, const Make& make) {
  const char* from = reinterpret_cast<const char*>(source.row(top - 1) + (x - source.left));
  constexpr int count = (rows_of_3x3 - 1) * step + 3;
  Texels3<N> texels[count];
  const auto read = [&](int row) {
    for (int i = 0; i < 3; ++i)
      texels[row].v[i] = load<N>(reinterpret_cast<const float*>(from) + (i - 1) * N);
    from += source.pitch_bytes;
  };
#pragma unroll
  for (int row = 0; row < 2 + ahead; ++row) read(row);
#pragma unroll
  for (int r = 0; r < rows_of_3x3; ++r) {
    const int at = r * step;
#pragma unroll
    for (int i = 0; i < step; ++i)
      if (at + ahead + i < count - 2) read(at + ahead + 2 + i);
    target.store_streaming(x, top + at,
                           make(texels[at], texels[at + 1], texels[at + 2], x, top + at));
  }
}

}  // namespace detail

/// target(x, y) = make(upper, middle, lower, x, y), Texels3 of the three rows around the pixel.
/// @tparam ahead rows that are read before they are needed: memory is far, but registers are few.
template <int ahead, int N, class Memory, class Make>
__device__ inline void make_from_3x3(const CudaRows<float, N>& source,
                                     const PixelTarget<N, Memory>& target,
                                     const BorderAxis& columns, const BorderAxis& rows,
                                     const Make& make) {
  using Tile = Tile3x3<Memory>;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  const int x = target.left + static_cast<int>(blockIdx.x) * Tile::width +
                thread / 32 * Tile::columns + lane % Tile::columns;
  const int top = target.top +
                  static_cast<int>(blockIdx.z * gridDim.y + blockIdx.y) * Tile::height +
                  lane / Tile::columns;
  const int last = top + (rows_of_3x3 - 1) * Tile::step, end = target.top + target.height;
  if (x >= target.left + target.width || top >= end) return;
  if (last < end && top > rows.low && last + 1 < rows.high && x > columns.low &&
      x + 1 < columns.high)
    detail::make_inside<Tile::step, Memory::is_array() ? 2 : ahead>(source, target, x, top, make);
  else
    detail::make_at_edge<Tile::step>(detail::Rows3<N>(source, columns, rows, x), target, x, top,
                                     min(last + 1, end), make);
}

/// Blocks of threads_of_3x3 for a target; in planes, where they are too many for one.
template <class Target>
dim3 blocks_of_3x3(const Target& target) {
  using Tile = Tile3x3<decltype(target.memory)>;
  const dim3 all = blocks_for(target.width, target.height, dim3(Tile::width, Tile::height));
  constexpr unsigned highest = most_blocks_down;
  return {all.x, std::min(all.y, highest), (all.y + highest - 1) / highest};
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The 3x3 texels around each pixel of a card's frame, for filters of that size: a thread moves down
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

/// Three texels of a row: left of a column, in it, and right of it.
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

/// The rows from top to bottom of a column whose neighbours are not all in the source, or of which
/// there are fewer.
template <class Read, class Target, class Make>
__device__ inline void make_at_edge(const Read& read, const Target& target, int x, int top,
                                    int bottom, const Make& make) {
  auto upper = read(top - 1), middle = read(top);
#pragma unroll 1
  for (int y = top; y < bottom; ++y) {
    const auto lower = read(y + 1);
    target.store_streaming(x, y, make(upper, middle, lower, x, y));
    upper = middle;
    middle = lower;
  }
}

/// rows_of_3x3 rows of a column whose neighbours are all in the source. For an array all threads of
/// a warp work together, since its sectors are two rows high.
template <int ahead, int N, class Memory, class Make>
__device__ inline void make_inside(const CudaRows<float, N>& source,
                                   const PixelTarget<N, Memory>& target, int x, int top,
                                   const Make& make) {
  const char* from = reinterpret_cast<const char*>(source.row(top - 1) + (x - source.left));
  Texels3<N> texels[rows_of_3x3 + 2];
  const auto read = [&](int row) {
    for (int i = 0; i < 3; ++i)
      texels[row].v[i] = load<N>(reinterpret_cast<const float*>(from) + (i - 1) * N);
    from += source.pitch_bytes;
  };
#pragma unroll
  for (int row = 0; row < 2 + ahead; ++row) read(row);
  Pixel<N> upper = {};
#pragma unroll
  for (int r = 0; r < rows_of_3x3; ++r) {
    if (r + ahead < rows_of_3x3) read(r + ahead + 2);
    const Pixel<N> made = make(texels[r], texels[r + 1], texels[r + 2], x, top + r);
    if constexpr (!Memory::is_array())
      target.store_streaming(x, top + r, made);
    else if (r % 2 == 0)
      upper = made;
    else
      target.store_pair(x, top + r - 1, upper, made, x + 32, top + r + 1);
  }
}

}  // namespace detail

/// target(x, y) = make(upper, middle, lower, x, y), with Texels3 of the three rows around the
/// pixel.
/// @tparam ahead rows that are read before they are needed: memory is slow, but registers are few.
template <int ahead, int N, class Memory, class Make>
__device__ inline void make_from_3x3(const CudaRows<float, N>& source,
                                     const PixelTarget<N, Memory>& target,
                                     const BorderAxis& columns, const BorderAxis& rows,
                                     const Make& make) {
  const int x = target.left + static_cast<int>(blockIdx.x * threads_of_3x3 + threadIdx.x);
  const int top = target.top + static_cast<int>(blockIdx.z * gridDim.y + blockIdx.y) * rows_of_3x3;
  const int below = top + rows_of_3x3, end = target.top + target.height;
  const bool has_column = x < target.left + target.width && top < end;
  bool is_inside = has_column && below <= end && top > rows.low && below < rows.high &&
                   x > columns.low && x + 1 < columns.high;
  if constexpr (Memory::is_array()) is_inside = __all_sync(0xffffffffu, is_inside) != 0;
  if (is_inside)
    detail::make_inside<ahead>(source, target, x, top, make);
  else if (has_column)
    detail::make_at_edge(detail::Rows3<N>(source, columns, rows, x), target, x, top,
                         min(below, end), make);
}

/// Blocks of threads_of_3x3 for a target; in several planes if there are too many for one.
template <class Target>
dim3 blocks_of_3x3(const Target& target) {
  const dim3 all = blocks_for(target.width, target.height, dim3(threads_of_3x3, rows_of_3x3));
  constexpr unsigned highest = most_blocks_down;
  return {all.x, std::min(all.y, highest), (all.y + highest - 1) / highest};
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The 3x3 texels around each pixel of a card's frame, for filters of that size: a thread goes down
// a column and reads each row's three texels once, a row ahead of what it makes.
#pragma once

#include "device/cuda_map_pixels.cuh"
#include "stages/convolution_cuda.cuh"
#include "stages/cuda_border.cuh"

namespace cuimg {

inline constexpr int rows_of_3x3 = 8;  // that a thread makes
inline constexpr dim3 block_of_3x3(32, 8);

/// Three texels of a row: to the left of a column, in it, and to its right.
template <int N>
struct Texels3 {
  Pixel<N> v[3];
};

template <int N>
class Rows3 {
 public:
  __device__ Rows3(const CudaRows<float, N>& source, const BorderAxis& columns,
                   const BorderAxis& rows, int x)
      : source_(source), rows_(rows) {
    for (int i = 0; i < 3; ++i) columns_[i] = border_index(columns, x - 1 + i);
    // Side by side but at an edge: then one address serves the three.
    is_run_ = columns_[1] != BorderAxis::nothing && columns_[0] == columns_[1] - 1 &&
              columns_[2] == columns_[1] + 1;
  }
  __device__ Texels3<N> operator()(int y) const {
    Texels3<N> texels = {};
    const int row = border_index(rows_, y);
    if (row == BorderAxis::nothing) return texels;
    if (is_run_) {
      const auto* centre = source_.row(row) + (columns_[1] - source_.left);
      for (int i = 0; i < 3; ++i) texels.v[i] = load<N>(centre[i - 1].v);
    } else {
      for (int i = 0; i < 3; ++i) texels.v[i] = load_or_zero(source_, columns_[i], row);
    }
    return texels;
  }

 private:
  const CudaRows<float, N>& source_;
  const BorderAxis& rows_;
  int columns_[3];
  bool is_run_;
};

/// target(x, y) = make(upper, middle, lower, x, y), Texels3 of the three rows around the pixel.
template <int N, class Make>
__device__ inline void make_from_3x3(const CudaRows<float, N>& source,
                                     const CudaRows<float, N>& target, const BorderAxis& columns,
                                     const BorderAxis& rows, const Make& make) {
  const int x = target.left + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int top =
      target.top + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) * rows_of_3x3;
  const int bottom = min(top + rows_of_3x3, target.top + target.height);
  if (x >= target.left + target.width || top >= bottom) return;
  const Rows3<N> read(source, columns, rows, x);
  Texels3<N> upper = read(top - 1), middle = read(top), lower = read(top + 1);
#pragma unroll
  for (int r = 0; r < rows_of_3x3; ++r) {
    const int y = top + r;
    if (y >= bottom) return;
    Texels3<N> next = {};
    if (r + 1 < rows_of_3x3) next = read(y + 2);
    store_streaming(target, x, y, make(upper, middle, lower, x, y));
    upper = middle;
    middle = lower;
    lower = next;
  }
}

/// Blocks of block_of_3x3 for a target.
inline dim3 blocks_of_3x3(const Rect& target) {
  return blocks_for(target.width, (target.height + rows_of_3x3 - 1) / rows_of_3x3, block_of_3x3);
}

}  // namespace cuimg

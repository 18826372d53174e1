// SPDX-License-Identifier: Apache-2.0
// Code that the metrics' kernels share: making one pixel from another, whatever the picture's
// height, and reducing the values of a block's threads in the order of row_sums.h.
#pragma once

#include "device/cuda/cuda_words.cuh"
#include "kernels/math/ceil_div.h"

namespace cuimg {

/// map_pixels() for all rows of the target.
template <class Functor, class Source>
void map_rows(CudaQueue& card, const char* name, const Functor& functor, const Source& source,
              const CudaRows<float, 1>& target) {
  constexpr dim3 block(32, 8);
  const Rect all = {target.left, target.top, target.width, target.height};
  for_parts(all, block, 1, [&](const Rect& part, dim3) {
    map_pixels(card, name, functor, source, target, part, block);
  });
}

/// @name Work on every pixel of a frame of one float. Each thread processes several pixels of a
/// column: neighbouring pixels are often alike, so the thread can combine its counts before it adds
/// them to memory. @{
inline constexpr int column_pixels_each = 16;
inline constexpr dim3 column_pixel_block(32, 8);

inline dim3 column_pixel_blocks(const Rect& region) {
  return blocks_for(region.width, ceil_div(region.height, column_pixels_each), column_pixel_block);
}
/// Calls work(value) for the pixels of the calling thread.
template <class Work>
__device__ void for_column_pixels(const CudaRows<float, 1>& rows, const Work& work) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int first = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) * column_pixels_each;
  if (x >= rows.width) return;
  for (int y = first; y < first + column_pixels_each && y < rows.height; ++y)
    work(rows.row(rows.top + y)[x].v[0]);
}
/// @}

/// @name All threads of a block call these; their number is a power of two, and all get the result.
/// @{

/// The sum of the lanes' values, one from each thread, added in halves.
/// @param lanes shared memory, one for each thread.
__device__ inline double sum_of_block(double value, double* lanes) {
  const unsigned thread = threadIdx.x;
  lanes[thread] = value;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (thread < half) lanes[thread] += lanes[thread + half];
    __syncthreads();
  }
  const double sum = lanes[0];
  __syncthreads();  // before the lanes are used again
  return sum;
}

/// Combines all threads' values in pairs. @param join associative and commutative.
template <class T, class Join>
__device__ T join_of_block(T value, T* lanes, const Join& join) {
  const unsigned thread = threadIdx.x;
  lanes[thread] = value;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (thread < half) lanes[thread] = join(lanes[thread], lanes[thread + half]);
    __syncthreads();
  }
  const T joined = lanes[0];
  __syncthreads();
  return joined;
}
/// @}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// What the metrics' kernels share: a pixel made from a pixel, whatever the picture's height; and
// what the threads of a block hold, made one in the order of row_sums.h.
#pragma once

#include "device/cuda/cuda_words.cuh"

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

/// @name All threads of a block call these, whose number is a power of two; all get the result. @{

/// The sum of the lanes' values, a thread each, in halves.
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

/// One of all threads' values, made of two at a time. @param join associative and commutative.
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

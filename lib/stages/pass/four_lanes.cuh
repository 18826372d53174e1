// SPDX-License-Identifier: Apache-2.0
// Four neighbouring lanes that exchange values.
#pragma once

#include "device/cuda/cuda_rows.cuh"

namespace cuimg {

constexpr unsigned all_lanes = 0xffffffffu;

/// The value of lane `k` of each lane's four. All lanes of a warp take part.
template <class T>
__device__ T of_four_lanes(T value, int k) {
  return __shfl_sync(all_lanes, value, k, 4);
}

/// Each lane has a row of a square of four by four, and gets the column of its number. All lanes of
/// a warp take part.
__device__ inline void transpose_in_four_lanes(float (&v)[4]) {
  const bool odd = (threadIdx.x & 1) != 0, upper = (threadIdx.x & 2) != 0;
#pragma unroll
  for (int k = 0; k < 4; k += 2) {
    const float got = __shfl_xor_sync(all_lanes, odd ? v[k] : v[k + 1], 1);
    v[k] = odd ? got : v[k];
    v[k + 1] = odd ? v[k + 1] : got;
  }
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const float got = __shfl_xor_sync(all_lanes, upper ? v[k] : v[k + 2], 2);
    v[k] = upper ? got : v[k];
    v[k + 2] = upper ? v[k + 2] : got;
  }
}

}  // namespace cuimg

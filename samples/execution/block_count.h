// SPDX-License-Identifier: Apache-2.0
// Three ways to count the threads of a block for which a condition is true; every thread gets the
// count. For nvcc.
#pragma once

namespace cuimg::samples {

constexpr unsigned everybody = 0xffffffff;  // a bit for each participating lane
constexpr int lanes = 32;
constexpr int block = lanes * lanes;  // as many warps as a warp has lanes

/// The barrier itself counts.
struct ByBarrier {
  __device__ int operator()(bool is_set) const { return __syncthreads_count(is_set); }
};

/// Each warp counts its lanes' votes, and then every warp adds the warps' counts.
struct ByBallot {
  __device__ int operator()(bool is_set) const {
    __shared__ int of_warp[lanes];
    const unsigned warp = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    const int votes = __popc(__ballot_sync(everybody, is_set));
    if (lane == 0) of_warp[warp] = votes;
    __syncthreads();
    int count = of_warp[lane];
    for (int delta = 1; delta < lanes; delta *= 2)
      count += __shfl_xor_sync(everybody, count, delta);
    __syncthreads();  // before the next count
    return count;
  }
};

/// Without the warp's instructions: every thread adds one in shared memory.
struct ByAtomics {
  __device__ int operator()(bool is_set) const {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    if (is_set) atomicAdd(&sum, 1);
    __syncthreads();
    const int count = sum;
    __syncthreads();  // before the next count
    return count;
  }
};

}  // namespace cuimg::samples

// SPDX-License-Identifier: Apache-2.0
// Numbered pieces of work for workers that are not equally fast, because multiprocessors are not:
// each begins with an equal share, and a worker that has finished takes more from the rest.
#pragma once

#include <cstdint>

#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_queue.h"

namespace cuimg {

struct WorkShares {
  int all, shared;  ///< Pieces, and how many of them are in the equal shares.
  unsigned* taken;  ///< How many of the rest are taken; 0 before the kernel.

  /// The first piece of a worker's share; of the worker after the last one, the end of the shares.
  __device__ int first_of(int worker, int workers) const {
    return static_cast<int>(std::int64_t{shared} * worker / workers);
  }
  /// Takes some more pieces. @returns the first one; `all` or more if none are left.
  __device__ int take(int some) const {
    return shared + static_cast<int>(atomicAdd(taken, static_cast<unsigned>(some)));
  }
};

/// The counter of a kernel's WorkShares.
class WorkCounter {
 public:
  explicit WorkCounter(CudaQueue& card) : taken_(card, 1) {
    check(cudaMemsetAsync(taken_.data(), 0, sizeof(unsigned), card.stream()), "cudaMemsetAsync");
  }
  WorkShares shares(int all, int shared) const { return {all, shared, taken_.data()}; }

 private:
  DeviceTable<unsigned> taken_;
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda_limits.h"

#include "device/cuda/cuda_queue.h"

namespace cuimg {

std::size_t shared_bytes_of_block(const CudaQueue& card) {
  int bytes = 0;
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, card.device()),
        "cudaDeviceGetAttribute");
  return static_cast<std::size_t>(bytes);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// A 3D texture on a card: a table that the texture unit interpolates.
#pragma once

#include <memory>

#include "device/cuda/cuda_queue.h"

namespace cuimg {

/// size^3 texels of four floats, read linearly with texel coordinates, clamped at the ends.
class CudaVolume {
 public:
  /// Queues the copy; the host's texels must exist as long as the volume. @throws DeviceError.
  CudaVolume(CudaQueue& queue, const float* texels, int size);
  /// Waits for the queue.
  ~CudaVolume();
  CudaVolume(const CudaVolume&) = delete;
  CudaVolume& operator=(const CudaVolume&) = delete;

  cudaTextureObject_t texture() const { return texture_.get(); }

 private:
  // The order matters: members declared later are destroyed first.
  std::shared_ptr<CudaQueue> queue_;
  ArrayHandle array_;
  TextureHandle texture_;
};

}  // namespace cuimg

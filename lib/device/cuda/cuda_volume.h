// SPDX-License-Identifier: Apache-2.0
// A 3D texture on a card: a table that is read between its entries by the texture unit.
#pragma once

#include <memory>

#include "device/cuda/cuda_queue.h"

namespace cuimg {

/// size^3 texels of four floats, read linearly, by texel coordinates, clamped at the ends.
class CudaVolume {
 public:
  /// Queues the copy; the host's texels must stay while the volume does. @throws DeviceError.
  CudaVolume(CudaQueue& queue, const float* texels, int size);
  /// Waits for the queue.
  ~CudaVolume();
  CudaVolume(const CudaVolume&) = delete;
  CudaVolume& operator=(const CudaVolume&) = delete;

  cudaTextureObject_t texture() const { return texture_.get(); }

 private:
  // In this order: what is declared later goes first.
  std::shared_ptr<CudaQueue> queue_;
  ArrayHandle array_;
  TextureHandle texture_;
};

}  // namespace cuimg

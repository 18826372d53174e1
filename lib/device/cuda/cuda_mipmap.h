// SPDX-License-Identifier: Apache-2.0
// A mipmapped CUDA array: float pictures of decreasing size, stored through surfaces and read by
// the texture unit between texels and between levels.
#pragma once

#include <memory>

#include "device/cuda/cuda_queue.h"

namespace cuimg {

class CudaMipmap {
 public:
  /// Uninitialised. @param channels 1, 2 or 4. @param levels each has sides by mip_side().
  /// @throws DeviceError if there is no memory, or if sides exceed the card's limits.
  CudaMipmap(CudaQueue& queue, int channels, int width, int height, int levels);

  int width() const { return block_->width; }
  int height() const { return block_->height; }
  int levels() const { return block_->levels; }

  /// A texture object with linear filtering within and between levels, kept with the memory.
  /// @param sampler with normalised coordinates. @throws DeviceError.
  cudaTextureObject_t texture(const Sampler& sampler);
  /// A level's surface, kept with the memory. @throws DeviceError.
  cudaSurfaceObject_t surface(int level);
  /// Queues a copy of all texels of a level. @param texels device memory, rows without gaps.
  /// @throws DeviceError.
  void copy_to(int level, const void* texels);

 private:
  cudaArray_t level_array(int level) const;

  std::shared_ptr<CudaQueue> queue_;  // declared first: it outlives the block
  std::shared_ptr<CudaBlock> block_;
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Applies a functor to every pixel of a region on a card: the one __global__ that most stages need.
#pragma once

#include "device/cuda/cuda_queue.h"
#include "image/rect.h"
#include "kernels/math/ceil_div.h"

namespace cuimg {

template <class Functor, class Source, class Target>
__global__ void map_pixels_kernel(Functor functor, Source source, Target target, Rect region) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= region.width || y >= region.height) return;
  target.store(region.x + x, region.y + y, functor(source, region.x + x, region.y + y));
}

/// The grid of blocks that covers width x height.
inline dim3 blocks_for(int width, int height, dim3 block) {
  return {ceil_div(static_cast<unsigned>(width), block.x),
          ceil_div(static_cast<unsigned>(height), block.y)};
}

/// Queues target.store(x, y, functor(source, x, y)) for every pixel of `region`.
/// @param name the kernel's name in errors. @param functor, source, target passed by value: views
/// such as CudaTexture, CudaRows and PixelTarget, whose frames the caller keeps until this returns.
/// @param block threads; 8x32 suits reads from or stores to arrays.
/// @throws DeviceError.
template <class Functor, class Source, class Target>
void map_pixels(CudaQueue& queue, const char* name, const Functor& functor, const Source& source,
                const Target& target, const Rect& region, dim3 block = dim3(8, 32)) {
  if (region.empty()) return;
  map_pixels_kernel<<<blocks_for(region.width, region.height, block), block, 0, queue.stream()>>>(
      functor, source, target, region);
  check_launch(name);
}

}  // namespace cuimg

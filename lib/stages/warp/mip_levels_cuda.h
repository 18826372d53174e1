// SPDX-License-Identifier: Apache-2.0
// The levels of a picture on a card.
#pragma once

#include "device/cuda/cuda_mipmap.h"
#include "kernels/texture/mip_sides.h"

namespace cuimg {

/// A picture's levels from `first` on, in a mipmapped array.
struct MipChain {
  CudaMipmap& mipmap;
  int width, height;  ///< The picture's size.
  int first, last;

  Rect region(int level) const { return {0, 0, mip_side(width, level), mip_side(height, level)}; }
  cudaSurfaceObject_t surface(int level) const { return mipmap.surface(level - first); }
  template <int N>
  PixelTarget<N, ArrayMemory> target(int level) const {
    const Rect all = region(level);
    return {{surface(level)}, 0, 0, all.width, all.height};
  }
};

/// Queues the computation of the levels. @param rows the picture. @throws DeviceError.
template <int N>
void make_levels(CudaQueue& card, const CudaRows<float, N>& rows, const MipChain& chain);

}  // namespace cuimg

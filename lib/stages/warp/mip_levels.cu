// SPDX-License-Identifier: Apache-2.0
// The kernels that make a picture's levels, through the surfaces of a mipmapped array.
#include "device/cuda/cuda_map_pixels.cuh"
#include "kernels/warp/mip_halving.h"
#include "stages/warp/mip_levels_cuda.h"

namespace cuimg {
namespace {

template <int N>
__device__ Pixel<N> pixel_at(const CudaRows<float, N>& rows, int x, int y) {
  return __builtin_bit_cast(Pixel<N>, rows.texel(rows.left + x, rows.top + y));
}
template <int N>
__device__ Pixel<N> pixel_at(const CudaSurface<float, N>& level, int x, int y) {
  return __builtin_bit_cast(Pixel<N>, level.texel(x, y));
}

template <int N>
struct CopyTexel {
  __device__ Pixel<N> operator()(const CudaRows<float, N>& rows, int x, int y) const {
    return pixel_at(rows, x, y);
  }
};

// Halves a level whose sides are even.
struct HalveEvenLevel {
  template <template <class, int> class Finer, int N>
  __device__ Pixel<N> operator()(const Finer<float, N>& finer, int x, int y) const {
    Pixel<N> texels[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) texels[i] = pixel_at(finer, 2 * x + i % 2, 2 * y + i / 2);
    return mip_mean(texels);
  }
};

struct HalveLevel {
  int width, height;  ///< Of the finer level.

  template <template <class, int> class Finer, int N>
  __device__ Pixel<N> operator()(const Finer<float, N>& finer, int x, int y) const {
    return mip_halved_texel<N>(x, y, width, height,
                               [&](int i, int j) { return pixel_at(finer, i, j); });
  }
};

// Makes the first level and the next one, for even sides, so that texels are read once for both.
template <int N>
struct CopyAndHalve {
  PixelTarget<N, ArrayMemory> copy;

  __device__ Pixel<N> operator()(const CudaRows<float, N>& rows, int x, int y) const {
    Pixel<N> texels[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) texels[i] = pixel_at(rows, 2 * x + i % 2, 2 * y + i / 2);
#pragma unroll
    for (int i = 0; i < 4; ++i) copy.store(2 * x + i % 2, 2 * y + i / 2, texels[i]);
    return mip_mean(texels);
  }
};

}  // namespace

template <int N>
void make_levels(CudaQueue& card, const CudaRows<float, N>& rows, const MipChain& chain) {
  const auto make = [&](int level, const auto& how, const auto& from) {
    map_pixels(card, "mip_level", how, from, chain.target<N>(level), chain.region(level));
  };
  const auto is_even = [&](int level) {
    const Rect all = chain.region(level);
    return all.width % 2 == 0 && all.height % 2 == 0;
  };
  const auto halve = [&](int level, const auto& from) {
    const Rect finer = chain.region(level - 1);
    if (is_even(level - 1))
      make(level, HalveEvenLevel{}, from);
    else
      make(level, HalveLevel{finer.width, finer.height}, from);
  };
  int made = chain.first;
  if (chain.first == 1) {
    halve(1, rows);
  } else if (chain.last > 0 && is_even(0)) {
    made = 1;
    make(1, CopyAndHalve<N>{chain.target<N>(0)}, rows);
  } else {
    make(0, CopyTexel<N>{}, rows);
  }
  for (int l = made + 1; l <= chain.last; ++l)
    halve(l, CudaSurface<float, N>{chain.surface(l - 1), 0, 0});
}
template void make_levels(CudaQueue& card, const CudaRows<float, 1>& rows, const MipChain& chain);
template void make_levels(CudaQueue& card, const CudaRows<float, 2>& rows, const MipChain& chain);
template void make_levels(CudaQueue& card, const CudaRows<float, 4>& rows, const MipChain& chain);

}  // namespace cuimg

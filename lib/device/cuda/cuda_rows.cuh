// SPDX-License-Identifier: Apache-2.0
// Float pixels in device memory, moved in one access each.
#pragma once

#include "kernels/texture/texture_cuda.h"

namespace cuimg {

template <int N>
__device__ inline Pixel<N> load(const float* from) {
  if constexpr (N == 4) {
    const float4 v = __ldg(reinterpret_cast<const float4*>(from));
    return {{v.x, v.y, v.z, v.w}};
  } else if constexpr (N == 2) {
    const float2 v = __ldg(reinterpret_cast<const float2*>(from));
    return {{v.x, v.y}};
  } else {
    return {{__ldg(from)}};
  }
}

template <int N>
__device__ inline Pixel<N> load(const CudaRows<float, N>& rows, int x, int y) {
  return load<N>(rows.row(y)[x - rows.left].v);
}

// Nothing reads the target again soon: it need not push the source out of the cache.
template <int N>
__device__ inline void store_streaming(float* to, const Pixel<N>& pixel) {
  if constexpr (N == 4)
    __stcs(reinterpret_cast<float4*>(to),
           make_float4(pixel.v[0], pixel.v[1], pixel.v[2], pixel.v[3]));
  else if constexpr (N == 2)
    __stcs(reinterpret_cast<float2*>(to), make_float2(pixel.v[0], pixel.v[1]));
  else
    __stcs(to, pixel.v[0]);
}

template <int N>
__device__ inline void store_streaming(const CudaRows<float, N>& rows, int x, int y,
                                       const Pixel<N>& pixel) {
  store_streaming<N>(rows.row(y)[x - rows.left].v, pixel);
}

}  // namespace cuimg

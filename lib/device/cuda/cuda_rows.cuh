// SPDX-License-Identifier: Apache-2.0
// Float pixels read from rows in device memory, one access each.
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

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Float pixels made twice as large by the texture unit's rule: what kernels share.
#pragma once

#include "kernels/texture/texture_unit.h"
#include "stages/resample/resize_cuda.h"

namespace cuimg {

/// The texel, counted from the frame's first, that the target's first pixel is nearest to.
CUIMG_HD inline int first_texel(const DoubledAxis& axis) {
  return axis.first < 0 ? axis.low + 1 : axis.low;
}

/// Special values are rare: out of the way of the rest, which stays in registers.
__device__ __noinline__ inline float doubled_by_definition(float t00, float t10, float t01,
                                                           float t11, int column, int row) {
  return linear_2d_taps<float, 1>(
             AxisTaps{0, 1, column == 0 ? 64 : 192}, AxisTaps{0, 1, row == 0 ? 64 : 192},
             [&](int x, int y) {
               return Texel<float, 1>{{y == 0 ? (x == 0 ? t00 : t10) : (x == 0 ? t01 : t11)}};
             })
      .v[0];
}

/// double_on_cuda() of one channel. @throws DeviceError.
void double_grey_on_cuda(CudaQueue& card, const DoubledAxis& columns, const DoubledAxis& rows,
                         const Frame& source, const Frame& target);

}  // namespace cuimg

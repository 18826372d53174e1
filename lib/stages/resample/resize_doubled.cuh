// SPDX-License-Identifier: Apache-2.0
// Code that the kernels for enlarging twofold by the texture unit's rule share.
#pragma once

#include "kernels/texture/texture_unit.h"
#include "stages/resample/resize_cuda.h"

namespace cuimg {

/// The texel nearest to the target's first pixel, counted from the frame's first texel.
CUIMG_HD inline int first_texel(const DoubledAxis& axis) {
  return axis.first < 0 ? axis.low + 1 : axis.low;
}

/// For special values, which are rare. Not inlined, so that the rest of a kernel keeps its values
/// in registers.
__device__ __noinline__ inline float doubled_by_definition(float t00, float t10, float t01,
                                                           float t11, int column, int row) {
  return linear_2d_taps<float, 1>(
             AxisTaps{0, 1, column == 0 ? 64 : 192}, AxisTaps{0, 1, row == 0 ? 64 : 192},
             [&](int x, int y) {
               return Texel<float, 1>{{y == 0 ? (x == 0 ? t00 : t10) : (x == 0 ? t01 : t11)}};
             })
      .v[0];
}

/// double_on_cuda() for one channel. @throws DeviceError.
void double_grey_on_cuda(CudaQueue& card, const DoubledAxis& columns, const DoubledAxis& rows,
                         const Frame& source, const Frame& target);

}  // namespace cuimg

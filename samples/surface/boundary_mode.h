// SPDX-License-Identifier: Apache-2.0
// Converts a boundary mode to CUDA's. For nvcc.
#pragma once

#include "surface/software_surface.h"

namespace cuimg::samples {

inline cudaSurfaceBoundaryMode as_cuda(Boundary boundary) {
  return boundary == Boundary::zero    ? cudaBoundaryModeZero
         : boundary == Boundary::clamp ? cudaBoundaryModeClamp
                                       : cudaBoundaryModeTrap;
}

}  // namespace cuimg::samples

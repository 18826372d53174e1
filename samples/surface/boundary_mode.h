// SPDX-License-Identifier: Apache-2.0
// The card's word for what a surface does beyond its edge. For nvcc.
#pragma once

#include "surface/software_surface.h"

namespace cuimg::samples {

inline cudaSurfaceBoundaryMode as_cuda(Boundary boundary) {
  return boundary == Boundary::zero    ? cudaBoundaryModeZero
         : boundary == Boundary::clamp ? cudaBoundaryModeClamp
                                       : cudaBoundaryModeTrap;
}

}  // namespace cuimg::samples

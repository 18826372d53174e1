// SPDX-License-Identifier: Apache-2.0
// A square root for arguments that are known to lie between 2^-100 and 2^100.
#pragma once

#include "kernels/math/math.h"

namespace cuimg {

/// sqrt() from 2^-100 to 2^100, for which a card needs no branch: the steps of its own correctly
/// rounded root.
CUIMG_HD inline float sqrt_of_normal(float x) {
#if defined(__CUDA_ARCH__)
  float inverse;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
  const float near = x * inverse;
  return fma(fma(-near, near, x), 0.5f * inverse, near);
#else
  return __builtin_sqrtf(x);
#endif
}

}  // namespace cuimg

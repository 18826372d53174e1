// SPDX-License-Identifier: Apache-2.0
// Several quotients by the same number. On a card a division takes a dozen steps and a branch on
// its operands' sizes. Here the reciprocal is shared, and the caller guarantees the sizes.
#pragma once

#include "kernels/math/math.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// Divides as `/` does, correctly rounded.
class Divisor {
 public:
  /// @param divisor with a magnitude in [2^-30, 2^30].
  CUIMG_HD explicit Divisor(float divisor) : divisor_(divisor) {
#if defined(__CUDA_ARCH__)
    float near;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(near) : "f"(divisor));
    reciprocal_ = fma(near, fma(-divisor, near, 1.0f), near);
#endif
  }
  /// @param x 0, but not -0, or with a magnitude in [2^-60, 2^60].
  CUIMG_HD float divide(float x) const {
#if defined(__CUDA_ARCH__)
    // The steps of the card's own division.
    float quotient = x * reciprocal_;
    quotient = fma(reciprocal_, fma(-divisor_, quotient, x), quotient);
    return fma(reciprocal_, fma(-divisor_, quotient, x), quotient);
#else
    return x / divisor_;
#endif
  }

 private:
  float divisor_;
  [[maybe_unused]] float reciprocal_ = 0.0f;
};

}  // namespace cuimg

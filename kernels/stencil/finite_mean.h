// SPDX-License-Identifier: Apache-2.0
// The replacement for a value that is NaN or infinite: the mean of the finite ones around it.
#pragma once

#include "kernels/math/math.h"

namespace cuimg {

/// Adds values in their order. In double, in which no sum of floats overflows.
struct FiniteMean {
  double sum = 0;
  int count = 0;

  CUIMG_HD void add(float value) {
    if (!is_finite(value)) return;
    sum += static_cast<double>(value);
    ++count;
  }
  /// 0 if no value was finite.
  CUIMG_HD float mean() const { return count == 0 ? 0.0f : static_cast<float>(sum / count); }
};

}  // namespace cuimg

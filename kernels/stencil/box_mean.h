// SPDX-License-Identifier: Apache-2.0
// The mean of a window, for the box filter.
#pragma once

#include "kernels/math/math.h"
#include "kernels/stencil/window.h"

namespace cuimg {

/// Sums in double: sums of equal floats are exact, up to 2^29 of them, so a constant remains
/// constant to the last bit. The mean is rounded once, to float.
struct MeanFold {
  using Stored = float;
  using State = double;
  double scale;  ///< 1 / width, rounded.

  CUIMG_HD static constexpr double neutral() { return -0.0; }  // -0 + x is x for every x
  CUIMG_HD static double load(float value) { return static_cast<double>(value); }
  CUIMG_HD static double join(double left, double right) { return left + right; }
  CUIMG_HD float store(double sum) const { return canonical_nan(static_cast<float>(sum * scale)); }
};

inline MeanFold mean_of(const Window& window) {
  return {1.0 / static_cast<double>(window.width())};
}

}  // namespace cuimg

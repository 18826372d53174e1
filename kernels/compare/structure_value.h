// SPDX-License-Identifier: Apache-2.0
// Structural similarity of one window from its weighted sums (Z. Wang et al. 2004, equations 6, 12
// and 13; K1 = 0.01, K2 = 0.03). In double: variances are small differences of large sums.
#pragma once

#include "kernels/color/luminance.h"
#include "kernels/math/math.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// A stored value as a float, for structure: values that are not finite become 0.
CUIMG_HD inline float structure_operand(float x) { return select(is_finite(x), x, 0.0f); }

/// Rec.709's weights on stored values.
CUIMG_HD inline float structure_luminance(float r, float g, float b) {
  return static_cast<float>(rec709_luminance<double>(r, g, b));
}

/// The mean of 2x2 pixels.
CUIMG_HD inline float mean_of_four(float upper_left, float upper_right, float lower_left,
                                   float lower_right) {
  return 0.25f * ((upper_left + upper_right) + (lower_left + lower_right));
}

/// The two constants that stabilise quotients.
/// @param range the distance from black to white; 1 for values as v / largest.
struct StructureConstants {
  double c1 = 0.01 * 0.01, c2 = 0.03 * 0.03;
  static constexpr StructureConstants of_range(double range) {
    return {0.01 * 0.01 * range * range, 0.03 * 0.03 * range * range};
  }
};

/// The similarity of luminance times that of contrast and structure; and the latter alone.
struct StructureValue {
  double similarity, contrast;
};

/// @param x, y weighted means. @param squares of x^2 + y^2. @param products of x y.
CUIMG_HD inline StructureValue structure_value(double x, double y, double squares, double products,
                                               const StructureConstants& k) {
  const double xy = x * y, xx_yy = x * x + y * y;
  const double contrast = (2.0 * (products - xy) + k.c2) / (squares - xx_yy + k.c2);
  return {contrast * ((2.0 * xy + k.c1) / (xx_yy + k.c1)), contrast};
}

}  // namespace cuimg

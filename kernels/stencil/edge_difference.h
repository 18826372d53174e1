// SPDX-License-Identifier: Apache-2.0
// Differences over 3x3 pixels. Factors are powers of two, so products are exact; NaN is canonical.
#pragma once

#include "kernels/math/math.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// A channel's values around one pixel, row by row.
struct Around {
  float v[3][3];
};

namespace detail {
CUIMG_HD inline float rise_to_the_right(const Around& a) {
  return ((a.v[0][2] - a.v[0][0]) + (a.v[2][2] - a.v[2][0])) + 2.0f * (a.v[1][2] - a.v[1][0]);
}
CUIMG_HD inline float rise_downward(const Around& a) {
  return ((a.v[2][0] - a.v[0][0]) + (a.v[2][2] - a.v[0][2])) + 2.0f * (a.v[2][1] - a.v[0][1]);
}
}  // namespace detail

/// Sobel and Feldman 1968: [1 2 1] down, the difference across. Rises to the right are positive.
struct SobelX {
  CUIMG_HD float operator()(const Around& a) const {
    return canonical_nan(detail::rise_to_the_right(a));
  }
};

/// The same for the other axis: rises downward are positive.
struct SobelY {
  CUIMG_HD float operator()(const Around& a) const {
    return canonical_nan(detail::rise_downward(a));
  }
};

/// The gradient's length.
struct SobelMagnitude {
  CUIMG_HD float operator()(const Around& a) const {
    const float x = detail::rise_to_the_right(a), y = detail::rise_downward(a);
    return sqrt(x * x + y * y);
  }
};

/// The sum of the second differences across and down.
struct Laplacian4 {
  CUIMG_HD float operator()(const Around& a) const {
    return canonical_nan(((a.v[1][0] + a.v[1][2]) + (a.v[0][1] + a.v[2][1])) - 4.0f * a.v[1][1]);
  }
};

/// The same with those along both diagonals.
struct Laplacian8 {
  CUIMG_HD float operator()(const Around& a) const {
    return canonical_nan((((a.v[1][0] + a.v[1][2]) + (a.v[0][1] + a.v[2][1])) +
                          ((a.v[0][0] + a.v[0][2]) + (a.v[2][0] + a.v[2][2]))) -
                         8.0f * a.v[1][1]);
  }
};

}  // namespace cuimg

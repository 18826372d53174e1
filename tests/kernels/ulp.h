// SPDX-License-Identifier: Apache-2.0
// The difference of a float from a reference, in units of the last place.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace cuimg::test {

/// The error of `found` in ulp of `exact` (2^-149 for denormals). It is 0 for equal infinities, and
/// for an infinity to which `exact` rounds.
inline double ulp_error(float found, long double exact) {
  if (std::isnan(found) || std::isnan(exact))
    return std::isnan(found) == std::isnan(exact) ? 0 : 1e9;
  if (std::isinf(found) || std::isinf(exact)) return static_cast<float>(exact) == found ? 0 : 1e9;
  int exponent = 0;
  std::frexp(exact, &exponent);
  const long double ulp = std::ldexp(1.0L, std::max(exponent - 24, -149));
  return static_cast<double>(std::fabs(found - exact) / ulp);
}

}  // namespace cuimg::test

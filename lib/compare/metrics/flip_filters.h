// SPDX-License-Identifier: Apache-2.0
// FLIP's filters for a number of pixels per degree: the contrast sensitivity of the eye, and edges
// and points (P. Andersson et al. 2020, sections 4.1 and 4.2).
#pragma once

#include <vector>

namespace cuimg {

/// Halves of filters, from the centre outwards.
struct FlipFilters {
  /// For Y, X - Y, and the two parts of Y - Z, whose squares add up to the filter. Each may end
  /// earlier, where weights are below a float's rounding.
  std::vector<float> light, red_green, blue_yellow, blue_yellow_wide;
  /// A gaussian, its derivative on the right of the centre (the left is its negative), and its
  /// second derivative.
  std::vector<float> gaussian, slope, bend;

  /// The reach of the longest filter.
  int reach() const;
};

/// @param pixels_per_degree above 0.
FlipFilters flip_filters(double pixels_per_degree);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// A gaussian along one axis: a weight for each pixel where sigma is small; where it is large, three
// short sums on a coarse grid, whose time does not depend on sigma.
#pragma once

#include <vector>

#include "stages/filter/convolution.h"

namespace cuimg {

/// The least sigma, in pixels, that is blurred on a coarse grid.
inline constexpr float least_coarse_sigma = 26.0f;
/// The largest number of pixels in a cell of the grid.
inline constexpr int largest_cell = 16;

/// A blur along a coarse axis has three steps:
/// 1. Pixels are reduced to a texel for each cell, by quadratic B-splines three cells wide, which
///    read the picture by the border's rule.
/// 2. Texels are blurred by a gaussian of variance (sigma / cell)^2 - 1/2: each of the splines adds
///    1/4, exactly, wherever a pixel lies in its cell. It is cut at the same distance as the
///    gaussian of whole pixels; a texel that is partly inside counts by that part.
/// 3. Each pixel mixes the texels of its own cell and of its two neighbours, by a quadratic
///    B-spline.
/// The three together differ from the gaussian of whole pixels by less than 2^-12 of the picture's
/// range, and by less than 2^-11 where both axes are coarse: half the sum over all pixels of the
/// differences between weights (tests/stages/filter/coarse_gaussian_test.cpp).
struct GaussianAxis {
  int cell = 1;       ///< Pixels per cell; 1: `kernel` applies to pixels, and the rest is unused.
  AxisKernel kernel;  ///< Weights of texels.
  /// Weights of the pixels of the previous cell, the cell and the next one.
  std::vector<float> reduces;
  /// For each pixel of a cell, weights of the texels of the previous cell, the cell and the next
  /// one.
  std::vector<float> expands;

  bool is_coarse() const { return cell > 1; }
  /// How far a pixel reads to each side, in pixels; on a coarse axis an upper limit.
  int reach() const { return is_coarse() ? (kernel.high() + 3) * cell - 1 : kernel.high(); }
};

/// exp(-x^2 / (2 sigma^2)) at whole x up to 3 sigma, rounded up. This covers all but 0.3 % of the
/// gaussian's area.
AxisKernel gaussian_kernel(float sigma);

/// @param sigma in pixels, at least 0.1.
GaussianAxis gaussian_axis(float sigma);

}  // namespace cuimg

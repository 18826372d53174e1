// SPDX-License-Identifier: Apache-2.0
// Weights are exact functions of sigma: multiples of 2^-23 that add up to 1 in each step.
#include "stages/filter/gaussian_axis.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/exact_math.h"
#include "stages/resample/unit_weights.h"

namespace cuimg {
namespace {

// A cell of sigma / 13 keeps the differences below 2^-12; with sigma / 12 they exceed it.
constexpr int cells_of_sigma = 13;

int reach_of(float sigma) { return static_cast<int>(std::ceil(3 * static_cast<double>(sigma))); }

// Turns values for -radius ... radius into weights.
AxisKernel centred_kernel(const std::vector<double>& values) {
  AxisKernel kernel{-static_cast<int>(values.size() / 2), unit_weights(values)};
  // Outer weights may round to zero.
  while (kernel.weights.front() == 0.0f) {
    kernel.weights.erase(kernel.weights.begin());
    kernel.weights.pop_back();
    ++kernel.low;
  }
  return kernel;
}

// Defined over [-1.5, 1.5]; splines at integer distances add up to 1, and the variance is 1/4.
double quadratic_spline(double x) {
  const double t = std::abs(x);
  if (t <= 0.5) return 0.75 - t * t;
  return t < 1.5 ? 0.5 * (1.5 - t) * (1.5 - t) : 0.0;
}

AxisKernel coarse_kernel(float sigma, int cell) {
  const double ratio = static_cast<double>(sigma) / cell;
  const double variance = ratio * ratio - 0.5;
  const double end = (reach_of(sigma) + 0.5) / cell;  // of the outermost pixel's edge
  const auto radius = static_cast<int>(std::ceil(end - 0.5));
  std::vector<double> values;
  for (int i = -radius; i <= radius; ++i) {
    const double inside = std::clamp(end + 0.5 - std::abs(i), 0.0, 1.0);
    values.push_back(inside * exact::exp(-static_cast<double>(i) * i / (2 * variance)));
  }
  return centred_kernel(values);
}

}  // namespace

AxisKernel gaussian_kernel(float sigma) {
  const double s = static_cast<double>(sigma);
  const int radius = reach_of(sigma);
  std::vector<double> values;
  for (int x = -radius; x <= radius; ++x)
    values.push_back(exact::exp(-static_cast<double>(x) * x / (2 * s * s)));
  return centred_kernel(values);
}

GaussianAxis gaussian_axis(float sigma) {
  if (sigma < least_coarse_sigma) return {1, gaussian_kernel(sigma), {}, {}};
  GaussianAxis axis;
  axis.cell = std::min(static_cast<int>(sigma) / cells_of_sigma, largest_cell);
  axis.kernel = coarse_kernel(sigma, axis.cell);
  // A pixel's distance from its cell's centre, in cells.
  const auto from_centre = [&](int pixel) { return (pixel + 0.5) / axis.cell - 0.5; };
  std::vector<double> values;
  for (int i = -axis.cell; i < 2 * axis.cell; ++i)
    values.push_back(quadratic_spline(from_centre(i)));
  axis.reduces = unit_weights(values);
  for (int i = 0; i < axis.cell; ++i) {
    values.clear();
    for (int texel = -1; texel <= 1; ++texel)
      values.push_back(quadratic_spline(from_centre(i) - texel));
    const std::vector<float> weights = unit_weights(values);
    axis.expands.insert(axis.expands.end(), weights.begin(), weights.end());
  }
  return axis;
}

}  // namespace cuimg

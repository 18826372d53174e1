// SPDX-License-Identifier: Apache-2.0
#include "compare/metrics/flip_filters.h"

#include <algorithm>
#include <cmath>

#include "base/exact_math.h"
#include "kernels/compare/flip_color.h"

namespace cuimg {
namespace {

// From the paper's table 1: e^(-pi^2 x^2 / width), x in degrees.
constexpr double light_width = 0.0047, red_green_width = 0.0053;
constexpr double blue_height = 34.1, blue_width = 0.04;
constexpr double wide_height = 13.5, wide_width = 0.025;

std::vector<double> gaussian(double height, double width, double pixels_per_degree, int radius) {
  std::vector<double> half;
  for (int k = 0; k <= radius; ++k) {
    const double x = k / pixels_per_degree;
    half.push_back(height * exact::exp(-exact::pi * exact::pi * x * x / width));
  }
  return half;
}

double sum_of(const std::vector<double>& half) {
  double sum = 0;
  for (std::size_t k = half.size(); k-- > 1;) sum += 2 * half[k];
  return sum + half[0];
}

// Leaves out weights too small to change a float.
std::vector<float> as_floats(const std::vector<double>& half, double scale) {
  std::vector<float> floats;
  for (const double weight : half)
    if (floats.empty() || std::abs(weight) > 0x1p-27 * std::abs(half[0]))
      floats.push_back(static_cast<float>(weight * scale));
  return floats;
}

}  // namespace

int FlipFilters::reach() const {
  std::size_t longest = 0;
  for (const auto* filter :
       {&light, &red_green, &blue_yellow, &blue_yellow_wide, &gaussian, &slope, &bend})
    longest = std::max(longest, filter->size());
  return static_cast<int>(longest) - 1;
}

FlipFilters flip_filters(double pixels_per_degree) {
  FlipFilters filters;
  // Three standard deviations of the widest gaussian.
  const double deviation = std::sqrt(blue_width / (2 * exact::pi * exact::pi));
  const auto radius = static_cast<int>(std::ceil(3 * deviation * pixels_per_degree));
  const auto light = gaussian(1, light_width, pixels_per_degree, radius);
  const auto red_green = gaussian(1, red_green_width, pixels_per_degree, radius);
  filters.light = as_floats(light, 1 / sum_of(light));
  filters.red_green = as_floats(red_green, 1 / sum_of(red_green));
  // A sum of two gaussians is not separable, but each of them is, with the square root of its
  // height.
  const auto root = [](double height, double width) {
    return std::sqrt(height * std::sqrt(exact::pi / width));
  };
  const auto blue = gaussian(root(blue_height, blue_width), blue_width, pixels_per_degree, radius);
  const auto wide = gaussian(root(wide_height, wide_width), wide_width, pixels_per_degree, radius);
  const double blue_sum = sum_of(blue), wide_sum = sum_of(wide);
  const double scale = 1 / std::sqrt(blue_sum * blue_sum + wide_sum * wide_sum);
  filters.blue_yellow = as_floats(blue, scale);
  filters.blue_yellow_wide = as_floats(wide, scale);

  const double sigma = 0.5 * static_cast<double>(flip::feature_width) * pixels_per_degree;
  const auto feature_radius = static_cast<int>(std::ceil(3 * sigma));
  std::vector<double> bell, slope, bend;
  double rises = 0, bend_up = 0, bend_down = 0;
  for (int k = 0; k <= feature_radius; ++k) {
    const double x2 = k * k / (sigma * sigma), g = exact::exp(-0.5 * x2);
    bell.push_back(g);
    slope.push_back(k * g);
    bend.push_back((x2 - 1) * g);
    rises += slope.back();
    (bend.back() > 0 ? bend_up : bend_down) += (k == 0 ? 1 : 2) * std::abs(bend.back());
  }
  filters.gaussian = as_floats(bell, 1 / sum_of(bell));
  // Positive weights add up to 1, and so do the negative ones' magnitudes.
  for (int k = 0; k <= feature_radius; ++k) {
    const auto i = static_cast<std::size_t>(k);
    filters.slope.push_back(static_cast<float>(rises > 0 ? slope[i] / rises : 0));
    const double side = bend[i] > 0 ? bend_up : bend_down;
    filters.bend.push_back(static_cast<float>(side > 0 ? bend[i] / side : 0));
  }
  // All three are read together, so they have the same length.
  filters.gaussian.resize(filters.slope.size(), 0.0f);
  return filters;
}

}  // namespace cuimg

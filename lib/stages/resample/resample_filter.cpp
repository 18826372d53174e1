// SPDX-License-Identifier: Apache-2.0
// The filters' formulas, in double with functions that give the same bits on every machine.
#include "stages/resample/resample_filter.h"

#include <cmath>

#include "base/exact_math.h"

namespace cuimg {
namespace {

double box(double) { return 1.0; }

double triangle(double x) { return 1.0 - (x < 0 ? -x : x); }

// The two-parameter cubics of Mitchell and Netravali, "Reconstruction Filters in Computer
// Graphics", 1988, equation 8.
double bc_cubic(double x, double b, double c) {
  const double t = x < 0 ? -x : x;
  if (t < 1)
    return ((12 - 9 * b - 6 * c) * t * t * t + (-18 + 12 * b + 6 * c) * t * t + (6 - 2 * b)) / 6;
  return ((-b - 6 * c) * t * t * t + (6 * b + 30 * c) * t * t + (-12 * b - 48 * c) * t +
          (8 * b + 24 * c)) /
         6;
}

// Keys, "Cubic Convolution Interpolation for Digital Image Processing", 1981, with a = -1/2,
// which is also the Catmull-Rom spline.
double keys(double x) { return bc_cubic(x, 0, 0.5); }
double mitchell(double x) { return bc_cubic(x, 1.0 / 3, 1.0 / 3); }
double bspline(double x) { return bc_cubic(x, 1, 0); }

// Standard deviation 1/2.
double gaussian(double x) { return exact::exp(-2 * x * x); }

double sinc(double x) { return x == 0 ? 1 : exact::sin_pi(x) / (exact::pi * x); }

template <int Lobes>
double lanczos(double x) {
  return sinc(x) * sinc(x / Lobes);
}

// Harris, "On the Use of Windows for Harmonic Analysis", 1978: the 4-term, -92 dB window over
// [-1.5, 1.5].
double blackman_harris(double x) {
  const double t = x / 3 + 0.5;
  return 0.35875 - 0.48829 * exact::cos_pi(2 * t) + 0.14128 * exact::cos_pi(4 * t) -
         0.01168 * exact::cos_pi(6 * t);
}

// The modified Bessel function of the first kind and order 0, by its power series: the sum of
// ((x/2)^k / k!)^2, whose terms are all positive.
double bessel_i0(double x) {
  double sum = 1, term = 1;
  for (int k = 1; term > sum * 0x1p-54; ++k) {
    const double factor = x / (2 * k);
    term *= factor * factor;
    sum += term;
  }
  return sum;
}

// Kaiser, "Nonrecursive Digital Filter Design Using the I0-Sinh Window Function", 1974, over
// [-3, 3] with alpha 4.
double kaiser(double x) {
  const double t = x / 3;
  return sinc(x) * bessel_i0(4 * std::sqrt(1 - t * t)) / bessel_i0(4);
}

constexpr ResampleFilter filters[] = {
    {"box", 0.5, box, false,
     "average of the pixels whose centres are covered; a centre on an edge counts for the pixel "
     "after it"},
    {"area", 0.5, nullptr, false,
     "average over the pixel's area, each texel weighted by how much of it is covered"},
    {"triangle", 1, triangle, false, "1 - |x|"},
    {"cubic", 2, keys, true, "Keys 1981, a = -1/2", "bicubic"},
    {"catmull-rom", 2, keys, true, "the same curve as cubic"},
    {"mitchell", 2, mitchell, true, "Mitchell-Netravali 1988, B = C = 1/3"},
    {"bspline", 2, bspline, false, "cubic B-spline, smooth, never rings"},
    {"gaussian", 2, gaussian, false, "exp(-2 x^2)"},
    {"lanczos2", 2, lanczos<2>, true, "sinc(x) sinc(x/2)"},
    {"lanczos3", 3, lanczos<3>, true, "sinc(x) sinc(x/3)", "lanczos"},
    {"lanczos4", 4, lanczos<4>, true, "sinc(x) sinc(x/4)"},
    {"kaiser", 3, kaiser, true, "sinc under a Kaiser window, alpha 4"},
    {"blackman-harris", 1.5, blackman_harris, false, "4-term window, Harris 1978"},
};

}  // namespace

std::span<const ResampleFilter> resample_filters() { return filters; }

}  // namespace cuimg

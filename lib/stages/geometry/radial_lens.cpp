// SPDX-License-Identifier: Apache-2.0
// Tables are computed in double with operations that IEEE 754 rounds, so every machine makes the
// same tables.
#include "stages/geometry/radial_lens.h"

#include <algorithm>
#include <cmath>

namespace cuimg {
namespace {

// The factor between a pixel's position and the position it reads, as a function of s, the pixel's
// squared distance from the centre in focal lengths. Nothing if the lens folds or Newton's method
// does not converge; up to the fold there is only one solution.
class Stretch {
 public:
  explicit Stretch(const LensMap& lens) : lens_(lens) {}

  std::optional<double> operator()(double s) const {
    if (!lens_.adds) return seen(s) ? std::optional(bent(s)) : std::nullopt;
    // Solves g (1 + bent(s g^2)) = 1 with Newton's method.
    constexpr int steps = 50;
    constexpr double close = 1e-15;
    double g = 1;
    for (int i = 0; i < steps; ++i) {
      const double r2 = s * g * g;
      const double off = g * (1 + bent(r2)) - 1;
      if (std::fabs(off) < close) {
        return seen(r2) ? std::optional(g - 1) : std::nullopt;
      }
      g -= off / growth(r2);
      if (!(g > 0 && g < 16)) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  double bent(double r2) const { return r2 * (lens_.k1 + r2 * (lens_.k2 + r2 * lens_.k3)); }
  // The derivative of r (1 + bent(r^2)).
  double growth(double r2) const {
    return 1 + r2 * (3 * lens_.k1 + r2 * (5 * lens_.k2 + r2 * (7 * lens_.k3)));
  }
  bool seen(double r2) const { return r2 < lens_.largest_r2 && growth(r2) > 0 && 1 + bent(r2) > 0; }

  const LensMap& lens_;
};

struct Cubic {
  double c0, c1, c2, c3;
  double operator()(double t) const { return c0 + t * (c1 + t * (c2 + t * c3)); }
};

// Interpolates the values at the zeros of Chebyshev's fourth polynomial: -outer, -inner, inner,
// outer.
constexpr double outer = 0.92387953251128674, inner = 0.38268343236508977;
Cubic cubic_through(const double (&v)[4]) {
  const double square = inner * inner, apart = outer * outer - square;
  const double even_outer = (v[3] + v[0]) / 2, even_inner = (v[2] + v[1]) / 2;
  const double odd_outer = (v[3] - v[0]) / (2 * outer), odd_inner = (v[2] - v[1]) / (2 * inner);
  const double c2 = (even_outer - even_inner) / apart, c3 = (odd_outer - odd_inner) / apart;
  return {even_inner - c2 * square, odd_inner - c3 * square, c2, c3};
}

// The polynomial of a segment, if it is accurate enough everywhere.
// @param first, width the segment in s. @param texels the size of an error of 1 at its end.
std::optional<Cubic> fitted(const LensMap& lens, double first, double width, double texels) {
  constexpr double nodes[4] = {-outer, -inner, inner, outer};
  constexpr double allowed_texels = 0x1p-15;
  constexpr int checks = 8;
  const auto at = [&](double t) { return first + width * ((t + 1) / 2); };
  const Stretch stretch(lens);
  double values[4];
  for (int k = 0; k < 4; ++k) {
    const std::optional<double> value = stretch(at(nodes[k]));
    if (!value) return std::nullopt;
    values[k] = *value;
  }
  const Cubic cubic = cubic_through(values);
  for (int k = 0; k <= checks; ++k) {
    const double t = 2.0 * k / checks - 1;
    const std::optional<double> value = stretch(at(t));
    const bool fits = value && std::fabs(cubic(t) - *value) * texels < allowed_texels;
    if (!fits) return std::nullopt;
  }
  return cubic;
}

// The largest n up to `most` with value 2^n <= limit.
int bits_below(double value, double limit, int most) {
  int bits = most;
  while (bits > -64 && std::ldexp(value, bits) > limit) --bits;
  return bits;
}

// The distance of the picture's farthest pixel, in texels, with y scaled by the aspect.
double farthest(const LensMap& lens, const Rect& window, double aspect) {
  const auto along = [](double first, int count, double center) {
    return std::max(std::fabs(first - center), std::fabs(first + count - 1 - center));
  };
  const double x = along(window.x - lens.left, window.width, lens.center_x);
  const double y = along(window.y - lens.top, window.height, lens.center_y);
  const double scaled = aspect * y;
  return std::max(std::sqrt(x * x + scaled * scaled), y) + 1;
}

}  // namespace

std::optional<RadialMap> radial_map(const LensMap& lens, const Rect& window) {
  constexpr double widest_aspect = 4;
  constexpr int fewest_offset_bits = 14, most_offset_bits = 29, most_value_bits = 40;
  const double aspect = lens.focal_x / lens.focal_y;
  const bool is_radial = lens.p1 == 0 && lens.p2 == 0;
  if (!is_radial || !(aspect < widest_aspect && aspect > 1 / widest_aspect)) return std::nullopt;
  const double texels = farthest(lens, window, aspect);
  const int offset_bits =
      bits_below(texels, std::ldexp(1, RadialMap::distance_bits), most_offset_bits);
  if (offset_bits < fewest_offset_bits) return std::nullopt;

  const double farthest_offset = std::ldexp(texels, offset_bits);
  const double segment_width = std::ldexp(1, RadialMap::sum_bits) / RadialMap::segments;
  const double unit = 1 / std::ldexp(lens.focal_x, offset_bits);
  const int used = std::min(static_cast<int>(farthest_offset * farthest_offset / segment_width) + 1,
                            RadialMap::segments);
  const double width = segment_width * unit * unit;
  Cubic cubics[RadialMap::segments];
  double largest = 0;
  for (int i = 0; i < used; ++i) {
    const double at_end = std::ldexp(std::sqrt(segment_width * (i + 1)), -offset_bits);
    const std::optional<Cubic> cubic = fitted(lens, width * i, width, at_end);
    if (!cubic) return std::nullopt;
    cubics[i] = *cubic;
    largest = std::max(largest, std::fabs(cubic->c0) + std::fabs(cubic->c1) + std::fabs(cubic->c2) +
                                    std::fabs(cubic->c3));
  }
  const int value_bits = bits_below(largest, 0x1p29, most_value_bits);
  if (offset_bits + value_bits < 32) return std::nullopt;

  RadialMap map{};
  for (int i = 0; i < RadialMap::segments; ++i) {
    const Cubic& cubic = cubics[std::min(i, used - 1)];
    const auto coefficient = [&](double c) {
      return static_cast<float>(std::ldexp(c, value_bits));
    };
    map.segment[i] = {static_cast<std::int32_t>(std::floor(std::ldexp(cubic.c0, value_bits) + 0.5)),
                      coefficient(cubic.c1), coefficient(cubic.c2), coefficient(cubic.c3)};
  }
  const auto fixed = [&](double v) {
    return static_cast<std::int32_t>(
        static_cast<std::int64_t>(std::floor(std::ldexp(v, offset_bits) + 0.5)));
  };
  map.offset_bits = offset_bits;
  map.value_bits = value_bits;
  map.center_x = fixed(lens.center_x);
  map.center_y = fixed(lens.center_y);
  map.aspect = static_cast<std::uint64_t>(std::floor(std::ldexp(aspect, 30) + 0.5));
  map.aspect_ratio = static_cast<float>(aspect);
  map.value_scale = static_cast<float>(std::ldexp(1, -value_bits));
  map.left = lens.left;
  map.top = lens.top;
  return map;
}

}  // namespace cuimg

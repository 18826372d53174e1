// SPDX-License-Identifier: Apache-2.0
// FLIP's operations on one pixel: P. Andersson et al., "FLIP: A Difference Evaluator for
// Alternating Images" (2020), and "Visualizing Errors in Rendered High Dynamic Range Images"
// (2021).
//
// The papers filter in YCxCz: 116 Y - 16, 500 (X - Y), 200 (Y - Z), with X, Y and Z relative to
// white. A filter whose weights add up to 1 commutes with scale and offset, so we omit both and
// filter Y, X - Y and Y - Z.
#pragma once

#include "kernels/color/luminance.h"
#include "kernels/math/approx_log.h"
#include "kernels/math/exp_log.h"
#include "kernels/math/math.h"
#include "kernels/math/platform.h"
#include "kernels/math/power.h"

namespace cuimg::flip {

/// Three numbers of a pixel: R, G, B; X, Y, Z relative to white; Y, X - Y, Y - Z; L, a, b.
struct Triple {
  float a, b, c;
};

/// Linear sRGB to X, Y, Z, each relative to white's: the rows of the matrix of the standard's
/// primaries, divided by their sums, so that white is exactly 1, 1, 1.
CUIMG_HD inline Triple relative_xyz(Triple rgb) {
  constexpr double x = 10135552.0 + 8788810.0 + 4435075.0;
  constexpr double y = 2613072.0 + 8788810.0 + 887015.0;
  constexpr double z = 1425312.0 + 8788810.0 + 70074185.0;
  constexpr auto xr = static_cast<float>(10135552.0 / x), xg = static_cast<float>(8788810.0 / x);
  constexpr auto xb = static_cast<float>(4435075.0 / x);
  constexpr auto yr = static_cast<float>(2613072.0 / y), yg = static_cast<float>(8788810.0 / y);
  constexpr auto yb = static_cast<float>(887015.0 / y);
  constexpr auto zr = static_cast<float>(1425312.0 / z), zg = static_cast<float>(8788810.0 / z);
  constexpr auto zb = static_cast<float>(70074185.0 / z);
  return {xr * rgb.a + xg * rgb.b + xb * rgb.c, yr * rgb.a + yg * rgb.b + yb * rgb.c,
          zr * rgb.a + zg * rgb.b + zb * rgb.c};
}

/// The inverse, to linear sRGB.
CUIMG_HD inline Triple rgb_of_relative_xyz(Triple xyz) {
  constexpr double x = 0.950428545, z = 1.088900371;  // for white, D65
  constexpr auto rx = static_cast<float>(3.241003275 * x);
  constexpr auto gx = static_cast<float>(-0.969224334 * x);
  constexpr auto bx = static_cast<float>(0.055639423 * x);
  constexpr auto rz = static_cast<float>(-0.498615861 * z);
  constexpr auto gz = static_cast<float>(0.041554224 * z);
  constexpr auto bz = static_cast<float>(1.057148933 * z);
  constexpr float ry = -1.537398934f, gy = 1.875930071f, by = -0.204011202f;
  return {rx * xyz.a + ry * xyz.b + rz * xyz.c, gx * xyz.a + gy * xyz.b + gz * xyz.c,
          bx * xyz.a + by * xyz.b + bz * xyz.c};
}

/// Brighter than any real light; its products with a filter's weights, and their squares, are still
/// finite.
inline constexpr float brightest = 0x1p60f;

/// A channel of light for metrics: always finite, with NaN as 0.
CUIMG_HD inline float display_light(float x) {
  const float light = clamp(x, -brightest, brightest);
  return select(is_nan(x), 0.0f, light);
}
CUIMG_HD inline Triple display_light(Triple rgb) {
  return {display_light(rgb.a), display_light(rgb.b), display_light(rgb.c)};
}
/// Clamped to the range of a display.
CUIMG_HD inline Triple displayed(Triple rgb) {
  return {clamp(rgb.a, 0.0f, 1.0f), clamp(rgb.b, 0.0f, 1.0f), clamp(rgb.c, 0.0f, 1.0f)};
}

/// Rec.709's luminance of linear sRGB.
CUIMG_HD inline float luminance(Triple rgb) { return rec709_luminance(rgb.a, rgb.b, rgb.c); }

/// Y, X - Y and Y - Z of linear sRGB.
CUIMG_HD inline Triple opponent(Triple rgb) {
  const Triple xyz = relative_xyz(rgb);
  return {xyz.b, xyz.a - xyz.b, xyz.b - xyz.c};
}

/// @name CIE Lab's function: the cube root, a line near 0. @param t finite. @{
inline constexpr float lab_root_start = static_cast<float>(216.0 / 24389);
inline constexpr LogFactor lab_root = log_factor(1.0 / 3);
/// For the cube root, in the range where it applies.
CUIMG_HD inline SplitLog log_of_lab_root(float t) {
  constexpr LogFactor third = lab_root;  // a card cannot access constants of the host
  return scaled_log2(select(t > lab_root_start, t, lab_root_start), third);
}
CUIMG_HD inline float lab_curve_of(float t, float root) {
  constexpr float slope = static_cast<float>(841.0 / 108), base = static_cast<float>(4.0 / 29);
  return select(t > lab_root_start, root, slope * t + base);
}
CUIMG_HD inline float lab_curve(float t) {
  return lab_curve_of(t, exp2_inside_of_root(log_of_lab_root(t)));
}
/// @}

/// Lab of filtered opponent colours, clamped to a display's range, with chroma scaled by lightness
/// (the Hunt effect).
CUIMG_HD inline Triple hunt_lab(Triple filtered) {
  Triple rgb = rgb_of_relative_xyz({filtered.a + filtered.b, filtered.a, filtered.a - filtered.c});
  rgb = {clamp(rgb.a, 0.0f, 1.0f), clamp(rgb.b, 0.0f, 1.0f), clamp(rgb.c, 0.0f, 1.0f)};
  const Triple xyz = relative_xyz(rgb);
  const float x = lab_curve(xyz.a), y = lab_curve(xyz.b), z = lab_curve(xyz.c);
  const float light = 116.0f * y - 16.0f;
  const float hunt = 0.01f * light;
  return {light, hunt * (500.0f * (x - y)), hunt * (200.0f * (y - z))};
}

/// City-block distance in lightness plus Euclidean distance in chroma (Abasi et al. 2020).
CUIMG_HD inline float hyab(Triple p, Triple q) {
  const float a = p.b - q.b, b = p.c - q.c;
  return abs(p.a - q.a) + sqrt(a * a + b * b);
}

/// The papers' constants.
inline constexpr double color_exponent = 0.7;   ///< qc
inline constexpr float color_knee = 0.4f;       ///< pc, relative to the largest difference
inline constexpr float knee_error = 0.95f;      ///< pt, the error at that difference
inline constexpr float feature_width = 0.082f;  ///< w, in degrees
/// The largest difference between colours of a display, to the power qc: linear green to blue.
inline constexpr float largest_difference = 41.2760984f;

/// A colour difference from 0 to 1.
CUIMG_HD inline float color_error(Triple p, Triple q) {
  constexpr LogFactor exponent = log_factor(color_exponent);
  const float difference = power(hyab(p, q), exponent);
  constexpr float knee = color_knee * largest_difference;
  const float below = difference * (knee_error / knee);
  const float above =
      knee_error + (difference - knee) * ((1.0f - knee_error) / (largest_difference - knee));
  return clamp(select(difference < knee, below, above), 0.0f, 1.0f);
}

/// The strength of an edge or a point, from both directions.
CUIMG_HD inline float strength(float x, float y) { return sqrt(x * x + y * y); }

/// The larger of the differences between two pictures' edges and between their points.
CUIMG_HD inline float feature_difference(float edge_p, float point_p, float edge_q, float point_q) {
  const float edge = abs(edge_p - edge_q), point = abs(point_p - point_q);
  return select(edge > point, edge, point);
}

/// Both errors combined: the colour's to the power of 1 - the feature's.
/// @param color from 0 to 1. @param feature the larger difference of edges and points.
CUIMG_HD inline float combined_error(float color, float feature) {
  constexpr float root_half = 0.70710678118654752f;
  const float amplified = clamp(sqrt(feature * root_half), 0.0f, 1.0f);
  const float exponent = 1.0f - amplified;
  const float logarithm = log2_short(select(color < 0x1p-100f, 0x1p-100f, color));
  const float power = exp2_to_one(exponent * logarithm);
  // Equal colours have no error, whatever their surroundings.
  return select(color < 0x1p-100f, 0.0f, clamp(power, 0.0f, 1.0f));
}

/// The papers' tone mapping for HDR, Narkowicz's fit of ACES (2015) after an exposure of 0.6.
struct ToneCurve {
  static constexpr double square = 0.6 * 0.6 * 2.51, line = 0.6 * 0.03;
  static constexpr double lower_square = 0.6 * 0.6 * 2.43, lower_line = 0.6 * 0.59;
  static constexpr double lower_base = 0.14;

  /// @param x light after exposure, at least 0.
  CUIMG_HD static float shown(float x) {
    // Beyond this the curve is flat, and squares are still finite.
    const float light = clamp(x, 0.0f, 0x1p40f);
    const float upper = (static_cast<float>(square) * light + static_cast<float>(line)) * light;
    const float lower =
        (static_cast<float>(lower_square) * light + static_cast<float>(lower_line)) * light +
        static_cast<float>(lower_base);
    return clamp(upper / lower, 0.0f, 1.0f);
  }
  CUIMG_HD static Triple shown(Triple rgb) { return {shown(rgb.a), shown(rgb.b), shown(rgb.c)}; }
};

}  // namespace cuimg::flip

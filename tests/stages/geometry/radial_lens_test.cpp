// SPDX-License-Identifier: Apache-2.0
// The tables of lenses compared with the model itself, solved in long double.
#include "stages/geometry/radial_lens.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cuimg::test {
namespace {

struct Case {
  const char* name;
  int width, height;
  double k1, k2, k3;
  double focal_x, focal_y, center_x, center_y;  ///< In half diagonals, and in sides.
};

constexpr Case cases[] = {
    {"mild barrel", 7680, 4320, -0.12, 0.01, 0, 1, 1, 0.5, 0.5},
    {"largest", 16384, 16384, -0.12, 0.01, 0, 1, 1, 0.5, 0.5},
    {"largest, from a corner", 16384, 16384, -0.02, 0.001, 0.0001, 1, 1, 0.01, 0.003},
    {"pincushion", 16384, 9001, 0.4, 0, 0, 1, 1, 0.5, 0.5},
    {"all of it", 4001, 3000, -0.1, 0.02, -0.001, 1.1, 0.8, 0.45, 0.6},
    {"long focal length", 6000, 4000, -0.3, 0.1, 0, 3, 3, 0.5, 0.5},
    {"small", 31, 17, -0.12, 0.01, 0, 1, 1, 0.5, 0.5},
    {"a pixel", 1, 1, -0.12, 0.01, 0, 1, 1, 0.5, 0.5},
    {"hardly any", 8192, 8192, 1e-6, 0, 0, 1, 1, 0.5, 0.5},
};

LensMap lens_of(const Case& c, bool adds) {
  LensMap lens{c.k1, c.k2, c.k3, 0, 0};
  const double half_diagonal = std::hypot(c.width, c.height) / 2;
  lens.focal_x = c.focal_x * half_diagonal;
  lens.focal_y = c.focal_y * half_diagonal;
  lens.center_x = c.center_x * c.width - 0.5;
  lens.center_y = c.center_y * c.height - 0.5;
  lens.largest_r2 = 1e300;
  lens.left = 3;
  lens.top = -7;
  lens.adds = adds;
  return lens;
}

long double bent(const LensMap& lens, long double r2) {
  return r2 * (lens.k1 + r2 * (lens.k2 + r2 * static_cast<long double>(lens.k3)));
}

// The distance from the centre at which a pixel reads, divided by its own distance. This uses
// bisection, while the tables use other steps.
long double stretch(const LensMap& lens, long double x, long double y) {
  const long double s = x * x + y * y;
  if (!lens.adds) return 1 + bent(lens, s);
  long double low = 0.25L, high = 4;
  for (int i = 0; i < 70; ++i) {
    const long double g = (low + high) / 2;
    (g * (1 + bent(lens, s * g * g)) < 1 ? low : high) = g;
  }
  return (low + high) / 2;
}

// The largest error at pixels of the whole window, in texels.
double largest_error(const LensMap& lens, const RadialMap& map, const Rect& window) {
  constexpr int steps = 61;
  long double worst = 0;
  for (int j = 0; j <= steps; ++j)
    for (int i = 0; i <= steps; ++i) {
      const int u = static_cast<int>(std::int64_t{window.width - 1} * i / steps);
      const int v = static_cast<int>(std::int64_t{window.height - 1} * j / steps);
      const long double x = (u - lens.center_x) / static_cast<long double>(lens.focal_x);
      const long double y = (v - lens.center_y) / static_cast<long double>(lens.focal_y);
      const long double g = stretch(lens, x, y);
      WarpPosition at;
      EXPECT_TRUE(map.at(window.x + u, window.y + v, at));
      worst = std::fmax(worst, std::fabs(at.x * 0x1p-32L - (x * g * lens.focal_x + lens.center_x)));
      worst = std::fmax(worst, std::fabs(at.y * 0x1p-32L - (y * g * lens.focal_y + lens.center_y)));
    }
  return static_cast<double>(worst);
}

TEST(RadialLens, TablesHoldTheModelToASmallPartOfTheUnitsStep) {
  constexpr double allowed = 1.0 / 256 / 128;
  for (const Case& c : cases)
    for (const bool adds : {false, true}) {
      const LensMap lens = lens_of(c, adds);
      const Rect window = {lens.left, lens.top, c.width, c.height};
      const std::optional<RadialMap> map = radial_map(lens, window);
      ASSERT_TRUE(map) << c.name << adds;
      const double error = largest_error(lens, *map, window);
      EXPECT_LT(error, allowed) << c.name << adds;
      RecordProperty(std::string(c.name) + (adds ? ", distort" : ", undistort"),
                     std::to_string(error * 256));
    }
}

// Compared with half the difference of the neighbours' positions, in which the second derivative
// cancels.
TEST(RadialLens, DerivativesAreThoseOfThePositions) {
  for (const Case& c : cases)
    for (const bool adds : {false, true}) {
      const LensMap lens = lens_of(c, adds);
      const Rect window = {lens.left, lens.top, c.width, c.height};
      const std::optional<RadialMap> map = radial_map(lens, window);
      ASSERT_TRUE(map) << c.name << adds;
      if (c.width < 31) continue;
      for (int j = 1; j < 8; ++j)
        for (int i = 1; i < 8; ++i) {
          const int x = window.x + c.width * i / 8, y = window.y + c.height * j / 8;
          WarpPosition here, left, right, up, down;
          WarpDerivative d;
          map->at(x, y, here, d);
          map->at(x - 1, y, left), map->at(x + 1, y, right);
          map->at(x, y - 1, up), map->at(x, y + 1, down);
          constexpr double close = 2e-3;
          EXPECT_NEAR(d.xx, (right.x - left.x) * 0x1p-33, close) << c.name;
          EXPECT_NEAR(d.xy, (down.x - up.x) * 0x1p-33, close) << c.name;
          EXPECT_NEAR(d.yx, (right.y - left.y) * 0x1p-33, close) << c.name;
          EXPECT_NEAR(d.yy, (down.y - up.y) * 0x1p-33, close) << c.name;
        }
    }
}

TEST(RadialLens, RefusesWhatNoTableHolds) {
  const Rect window = {3, -7, 640, 480};
  Case c = {"", 640, 480, -0.12, 0.01, 0, 1, 1, 0.5, 0.5};
  EXPECT_TRUE(radial_map(lens_of(c, true), window));
  LensMap sheared = lens_of(c, true);
  sheared.p1 = 0.01;
  EXPECT_FALSE(radial_map(sheared, window));
  c.k1 = -0.5, c.k2 = 0;  // folds inside the picture
  LensMap folded = lens_of(c, false);
  folded.largest_r2 = 2.0 / 3;
  EXPECT_FALSE(radial_map(folded, window));
  folded.adds = true;
  EXPECT_FALSE(radial_map(folded, window));
  c = {"", 200000, 10, -0.12, 0.01, 0, 1, 1, 0.5, 0.5};
  EXPECT_FALSE(radial_map(lens_of(c, true), {3, -7, 200000, 10}));
}

}  // namespace
}  // namespace cuimg::test

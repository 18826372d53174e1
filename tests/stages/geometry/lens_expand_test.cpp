// SPDX-License-Identifier: Apache-2.0
// undistort --expand and distort --expand do not cut off any part of the picture, and add no area
// that shows none of it.
#include <algorithm>
#include <cmath>
#include <string>

#include "stages/geometry/lens_bounds.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

struct LensCase {
  const char* name;
  int width, height;
  double k1, k2, k3, p1, p2;
  double focal_x, focal_y, center_x, center_y;  ///< In pixels, relative to the corner.
};

constexpr LensCase lens_cases[] = {
    {"barrel", 200, 120, -0.12, 0.01, 0, 0, 0, 116.6, 116.6, 100, 60},
    {"pincushion", 200, 120, 0.3, 0, 0, 0, 0, 116.6, 116.6, 100, 60},
    {"moustache", 300, 170, -0.25, 0.3, -0.08, 0, 0, 172, 172, 150, 85},
    {"near its fold", 160, 160, -0.147, 0, 0, 0, 0, 113.14, 113.14, 80, 80},
    {"from next to the middle", 200, 120, -0.1, 0.02, 0, 0, 0, 150, 130, 70, 71.5},
    {"from outside", 100, 80, -0.05, 0, 0.001, 0, 0, 150, 150, -30, 95},
    {"sheared", 200, 120, -0.08, 0.01, 0, 0.02, -0.015, 116.6, 116.6, 100, 60},
    {"strong pincushion", 64, 64, 0.9, 0.4, 0, 0, 0, 45, 45, 32, 32},
    {"a pixel", 1, 1, -0.12, 0, 0, 0, 0, 0.7, 0.7, 0.5, 0.5},
    {"a line", 90, 1, -0.1, 0, 0, 0, 0, 45, 45, 45, 0.5},
    {"hardly any", 200, 120, 1e-7, 0, 0, 0, 0, 116.6, 116.6, 100, 60}};

LensMap map_of(const LensCase& c, bool adds) {
  LensMap map{c.k1, c.k2, c.k3, c.p1, c.p2};
  map.focal_x = c.focal_x, map.focal_y = c.focal_y;
  map.center_x = c.center_x - 0.5, map.center_y = c.center_y - 0.5;
  map.largest_r2 = 1e300;
  map.left = map.top = 0;
  map.adds = adds;
  return map;
}

struct Place {
  double x, y;  ///< In pixels, relative to the picture's corner.
};

// The position at which a point of the straight picture is visible, and the growth of the radius,
// which is negative in folds.
Place bent(const LensCase& c, const Place& straight, double& growth) {
  const double x = (straight.x - c.center_x) / c.focal_x, y = (straight.y - c.center_y) / c.focal_y;
  const double r2 = x * x + y * y;
  const double radial = 1 + c.k1 * r2 + c.k2 * r2 * r2 + c.k3 * r2 * r2 * r2;
  growth = 1 + 3 * c.k1 * r2 + 5 * c.k2 * r2 * r2 + 7 * c.k3 * r2 * r2 * r2;
  return {c.center_x + c.focal_x * (x * radial + 2 * c.p1 * x * y + c.p2 * (r2 + 2 * x * x)),
          c.center_y + c.focal_y * (y * radial + c.p1 * (r2 + 2 * y * y) + 2 * c.p2 * x * y)};
}

bool lies_in(const LensCase& c, const Place& p) {
  return p.x >= 0 && p.y >= 0 && p.x <= c.width && p.y <= c.height;
}

// The extent of the points that show the picture, among those up to `reach` pixels around it.
struct Box {
  double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
  void hold(const Place& p) {
    left = std::min(left, p.x), right = std::max(right, p.x);
    top = std::min(top, p.y), bottom = std::max(bottom, p.y);
  }
};

Box tried_straight(const LensCase& c, double step) {
  Box box;
  const double reach = 0.7 * std::max(c.width, c.height) + 2;
  for (double y = -reach; y <= c.height + reach; y += step)
    for (double x = -reach; x <= c.width + reach; x += step) {
      double growth = 0;
      const Place seen = bent(c, {x, y}, growth);
      if (growth > 0 && lies_in(c, seen)) box.hold({x, y});
    }
  return box;
}

Box tried_bent(const LensCase& c, double step) {
  Box box;
  double unused = 0;
  for (double t = 0; t <= 1; t += step / (c.width + c.height))
    for (const Place& edge : {Place{t * c.width, 0}, Place{t * c.width, double(c.height)},
                              Place{0, t * c.height}, Place{double(c.width), t * c.height}})
      box.hold(bent(c, edge, unused));
  box.hold(bent(c, {double(c.width), double(c.height)}, unused));
  return box;
}

// Both are in pixels from the corner; the centre of a texel is half a pixel further.
void expect_holds(const LensBounds& made, const Box& tried, double step, const char* name) {
  const Box box = {made.left + 0.5, made.top + 0.5, made.right + 0.5, made.bottom + 0.5};
  EXPECT_LE(box.left, tried.left) << name;
  EXPECT_LE(box.top, tried.top) << name;
  EXPECT_GE(box.right, tried.right) << name;
  EXPECT_GE(box.bottom, tried.bottom) << name;
  const double wider = step + 1.0 / 32;
  EXPECT_GT(box.left, tried.left - wider) << name;
  EXPECT_GT(box.top, tried.top - wider) << name;
  EXPECT_LT(box.right, tried.right + wider) << name;
  EXPECT_LT(box.bottom, tried.bottom + wider) << name;
}

TEST(LensExpand, BoundsHoldAllThatShowsThePictureAndLittleElse) {
  constexpr double step = 0.25;
  for (const LensCase& c : lens_cases) {
    const auto bounds = lens_bounds(map_of(c, false), c.width, c.height);
    ASSERT_TRUE(bounds) << c.name;
    // Tall and narrow tips of the area may lie between the points that are tried.
    expect_holds(*bounds, tried_straight(c, step), 8 * step, c.name);
  }
}

TEST(LensExpand, BoundsHoldWhereTheEdgeIsSeen) {
  constexpr double step = 1.0 / 64;
  for (const LensCase& c : lens_cases) {
    const auto bounds = lens_bounds(map_of(c, true), c.width, c.height);
    ASSERT_TRUE(bounds) << c.name;
    expect_holds(*bounds, tried_bent(c, step), step, c.name);
  }
}

// How much farther from the middle a corner of a barrel's picture moves, as a factor, by bisection.
double corner_stretch(const LensCase& c) {
  const double corner = std::hypot(c.width, c.height) / 2 / c.focal_x;
  double low = 0, high = 1.5;
  for (int i = 0; i < 60; ++i) {
    const double r = (low + high) / 2, seen = r * (1 + c.k1 * r * r + c.k2 * r * r * r * r);
    (seen < corner ? low : high) = r;
  }
  return low / corner;
}

TEST(LensExpand, BoundsOfABarrelAreWhereItsCornersGo) {
  const LensCase& c = lens_cases[0];
  const auto bounds = lens_bounds(map_of(c, false), c.width, c.height);
  ASSERT_TRUE(bounds);
  const double stretch = corner_stretch(c);
  EXPECT_NEAR(bounds->right + 0.5 - c.width / 2.0, stretch * c.width / 2.0, 1.0 / 32);
  EXPECT_NEAR(bounds->top + 0.5 - c.height / 2.0, -stretch * c.height / 2.0, 1.0 / 32);
}

Image smooth_picture(const Rect& window) {
  return image_of(spec_of(window, PixelType::f32, 3), [&](int, int x, int y, int c) {
    const double u = double(x - window.x) / window.width, v = double(y - window.y) / window.height;
    return c == 0 ? 0.25 + 0.5 * u : c == 1 ? 0.25 + 0.5 * v : 0.5 + 0.2 * u * v;
  });
}

Rect window_of(const std::string& words, const Image& source) {
  const Image made = run_chain(words, source);
  EXPECT_EQ(made.spec().data_window, made.spec().display_window) << words;
  return made.spec().display_window;
}

TEST(LensExpand, GrowsByWholePixelsAndMovesThePictureInTheWindow) {
  const Rect window = {5, -7, 200, 120};
  const Image source = smooth_picture(window);
  const std::string lens = "undistort --k1 -0.12 --k2 0.01 --focal 116.6";
  const double more = corner_stretch(lens_cases[0]) - 1;
  const int left = static_cast<int>(std::ceil(more * 100));
  const int top = static_cast<int>(std::ceil(more * 60));
  const Image grown = run_chain(lens + " --expand", source);
  const Rect& made = grown.spec().display_window;
  EXPECT_EQ(made, (Rect{5, -7, 200 + 2 * left, 120 + 2 * top}));
  const Image plain = run_chain(lens, source);
  for (int y = window.y; y < window.bottom(); ++y)
    for (int x = window.x; x < window.right(); ++x)
      ASSERT_NEAR(value_at(grown, x + left, y + top), value_at(plain, x, y), 1e-4);
}

// A white picture keeps all of its light: as much as in a window that is far too large.
TEST(LensExpand, CutsNothing) {
  const Image source = flat(spec_of({0, 0, 90, 70}, PixelType::f32, 1), 1);
  const auto light = [](const Image& image) {
    double all = 0;
    const Rect& r = image.spec().data_window;
    for (int y = 0; y < r.height; ++y)
      for (int x = 0; x < r.width; ++x) all += value_at(image, x, y);
    return all;
  };
  for (const std::string lens : {"undistort --k1 -0.12", "undistort --k1 -0.1 --p1 0.02",
                                 "distort --k1 0.4", "distort --k1 0.2 --k2 0.3 --p2 -0.05"}) {
    const std::string words = lens + " --focal 60 --no-antialias";
    const Image large =
        run_chain("pad --left 90 --right 90 --top 90 --bottom 90 + " + words, source);
    const Image grown = run_chain(words + " --expand", source);
    EXPECT_LT(grown.spec().data_window.width, 250) << lens;
    EXPECT_NEAR(light(grown) / light(large), 1, 1e-3) << lens;
  }
}

TEST(LensExpand, ComesBackWithTheSameFocalLength) {
  for (const char* numbers : {"--k1 -0.12 --k2 0.01", "--k1 -0.05", "--k1 0.2"}) {
    const std::string lens = std::string(numbers) + " --focal 130 ";
    const Image source = smooth_picture({0, 0, 200, 120});
    for (const char* first : {"undistort ", "distort "}) {
      const char* second = first[0] == 'u' ? "distort " : "undistort ";
      const Image back = run_chain(
          first + lens + "--border clamp --expand + " + second + lens + "+ cut --size 200x120",
          source);
      for (int y = 1; y < 119; ++y)
        for (int x = 1; x < 199; ++x)
          for (int c = 0; c < 3; ++c)
            ASSERT_NEAR(value_at(back, x, y, c), value_at(source, x, y, c), 2e-3)
                << first << numbers << " at " << x << ", " << y;
    }
  }
}

TEST(LensExpand, NeverShrinks) {
  const Image source = smooth_picture({0, 0, 90, 70});
  for (const std::string lens :
       {"undistort --k1 0.3", "distort --k1 -0.1", "undistort", "distort --k1 0"}) {
    EXPECT_EQ(window_of(lens + " --expand", source), (Rect{0, 0, 90, 70})) << lens;
    EXPECT_TRUE(same_pixels(run_chain(lens + " --expand", source), run_chain(lens, source)));
  }
}

TEST(LensExpand, IsTheSameInBandsAndInOnePiece) {
  Spec spec = spec_of({3, 2, 90, 70}, PixelType::half, 4);
  spec.layers.push_back({"mask", {"id"}, PixelType::u32});
  const Image source = noise(spec);
  for (const std::string chain :
       {"undistort --k1 -0.1 --expand", "distort --k1 0.4 --expand --filter cubic",
        "undistort --k1 -0.1 --p1 0.01 --expand --border mirror"})
    EXPECT_TRUE(same_pixels(run_chain(chain, source, {.threads = 2}),
                            run_chain(chain, source, {.whole = true})))
        << chain;
}

TEST(LensExpand, RefusesWhatNoWindowHolds) {
  const Image source = smooth_picture({0, 0, 90, 70});
  const std::string folds =
      ": --expand cannot hold the whole picture: the lens folds it over before its edge: use "
      "smaller coefficients, or leave out --expand";
  // r (1 - k r^2) reaches 1 in no corner from k = 4 / 27 on; it folds at 1 / sqrt(3 k).
  EXPECT_EQ(problem("undistort --k1 -0.149 --expand", source), "undistort" + folds);
  EXPECT_EQ(problem("undistort --k1 -0.147 --expand", source), "none");
  EXPECT_EQ(problem("distort --k1 -0.34 --expand", source), "distort" + folds);
  EXPECT_EQ(problem("distort --k1 -0.33 --expand", source), "none");
  EXPECT_EQ(problem("distort --k1 9 --expand", source),
            "distort: --expand makes 902x702 of 90x70: use smaller coefficients, or leave it out: "
            "a side may grow to 4 times the picture's, and to 131072");
  EXPECT_EQ(problem("undistort --k1 1000 --k3 1000 --expand", source), "none");
  EXPECT_TRUE(has(problem("distort --k1 1000 --k2 1000 --k3 1000 --expand", source),
                  "--expand makes 270092x210072 of 90x70"));
}

}  // namespace
}  // namespace cuimg::test

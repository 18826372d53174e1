// SPDX-License-Identifier: Apache-2.0
// Environment maps between levels, compared with other formulas in double: levels are means over
// areas, directions use sines, angles use arc tangents.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/env_directions.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

struct Level {
  int width, height;
  std::vector<double> texels;

  // Beyond the end of a row, reads wrap around or are clamped.
  double at(int x, int y, bool goes_round) const {
    x = goes_round ? (x % width + width) % width : std::clamp(x, 0, width - 1);
    return texels[static_cast<std::size_t>(std::clamp(y, 0, height - 1) * width + x)];
  }
  // The interpolated value at (x, y) from the upper left edge, where 1 is the other end.
  double between(double x, double y, bool goes_round) const {
    const double u = x * width - 0.5, v = y * height - 0.5;
    const int i = static_cast<int>(std::floor(u)), j = static_cast<int>(std::floor(v));
    const double fx = u - i, fy = v - j;
    return (1 - fy) * ((1 - fx) * at(i, j, goes_round) + fx * at(i + 1, j, goes_round)) +
           fy * ((1 - fx) * at(i, j + 1, goes_round) + fx * at(i + 1, j + 1, goes_round));
  }
  // A level with half as many texels per side, rounded down. Each is the mean of the area that it
  // covers.
  Level halved() const {
    Level next = {std::max(1, width / 2), std::max(1, height / 2), {}};
    const double wide = double(width) / next.width, high = double(height) / next.height;
    const auto covered = [](int texel, double begin, double end) {
      return std::max(0.0, std::min(texel + 1.0, end) - std::max(double(texel), begin));
    };
    for (int y = 0; y < next.height; ++y)
      for (int x = 0; x < next.width; ++x) {
        double sum = 0;
        for (int j = 0; j < height; ++j) {
          const double row = covered(j, y * high, (y + 1) * high);
          if (row == 0) continue;
          for (int i = 0; i < width; ++i)
            sum += row * covered(i, x * wide, (x + 1) * wide) * at(i, j, false);
        }
        next.texels.push_back(sum / (wide * high));
      }
    return next;
  }
};

using Levels = std::vector<Level>;
Levels levels_of(const Image& image, const Rect& part) {
  Levels levels = {{part.width, part.height, {}}};
  for (int y = part.y; y < part.bottom(); ++y)
    for (int x = part.x; x < part.right(); ++x) levels[0].texels.push_back(value_at(image, x, y));
  while (levels.back().width > 1 || levels.back().height > 1)
    levels.push_back(levels.back().halved());
  return levels;
}
double read(const Levels& levels, double x, double y, double texels, bool goes_round) {
  const double lod =
      std::clamp(std::log2(std::max(texels, 1.0)), 0.0, static_cast<double>(levels.size() - 1));
  const auto near = static_cast<std::size_t>(lod);
  const auto far = std::min(near + 1, levels.size() - 1);
  const double part = lod - static_cast<double>(near);
  return (1 - part) * levels[near].between(x, y, goes_round) +
         part * levels[far].between(x, y, goes_round);
}

// The directions of a pixel's centre and of the centres of its sides.
struct View {
  Direction middle, left, right, upper, lower;
};
template <class Looks>
View view_of(int x, int y, const Looks& looks) {
  return {looks(x + 0.5, y + 0.5), looks(x, y + 0.5), looks(x + 1, y + 0.5), looks(x + 0.5, y),
          looks(x + 0.5, y + 1)};
}
double read_latlong(const Levels& levels, const View& view) {
  const double angle =
      std::max(angle_between(view.left, view.right), angle_between(view.upper, view.lower));
  const Direction& d = view.middle;
  return read(levels, 0.5 - std::atan2(d.x, d.z) / (2 * pi), 0.5 - std::asin(d.y) / pi,
              angle * levels[0].height / pi, true);
}
double read_cube(const std::vector<Levels>& cube, const View& view) {
  std::size_t best = 0;
  for (std::size_t f = 1; f < 6; ++f)
    if (dot(view.middle, strip_faces[f].axis) > dot(view.middle, strip_faces[best].axis)) best = f;
  const StripFace& f = strip_faces[best];
  const double side = cube[best][0].width;
  struct Place {
    double x, y;
  };
  // On the plane of this face, also beyond its edges.
  const auto place = [&](const Direction& d) -> Place {
    const double depth = dot(d, f.axis);
    return {0.5 + 0.5 * dot(d, f.right) / depth, 0.5 + 0.5 * dot(d, f.down) / depth};
  };
  const auto apart = [&](const Direction& a, const Direction& b) {
    return side * std::hypot(place(a).x - place(b).x, place(a).y - place(b).y);
  };
  const Place at = place(view.middle);
  return read(cube[best], at.x, at.y,
              std::max(apart(view.left, view.right), apart(view.upper, view.lower)), false);
}

Image one_channel(int width, int height, unsigned seed = 1) {
  return noise(spec_of({0, 0, width, height}, PixelType::f32, 1), seed);
}

TEST(EnvmapTrilinear, ReadsLatlongAsTheFormulasSay) {
  for (const auto& [width, height] : {std::pair{128, 64}, {101, 50}}) {
    const Image source = one_channel(width, height);
    const Levels levels = levels_of(source, {0, 0, width, height});
    const std::string words = "envmap --filter trilinear --from latlong";
    for (const auto& [w, h] : {std::pair{64, 32}, {41, 20}, {16, 8}, {9, 31}})
      EXPECT_LT(worst_difference(run_chain(words + to_size("latlong", w, h), source),
                                 [&, w = w, h = h](int x, int y) {
                                   return read_latlong(levels,
                                                       view_of(x, y, [&](double u, double v) {
                                                         return looks_latlong(w, h, u, v);
                                                       }));
                                 }),
                0.015)
          << width << " to " << w;
    for (const int n : {24, 11, 5})
      EXPECT_LT(worst_difference(run_chain(words + to_size("cube-faces", n, 6 * n), source),
                                 [&](int x, int y) {
                                   return read_latlong(levels,
                                                       view_of(x, y % n, [&](double u, double v) {
                                                         return looks_face(y / n, n, u, v);
                                                       }));
                                 }),
                0.015)
          << width << " to " << n;
  }
}

// Their steps follow the derivative, which is nearly the same.
TEST(EnvmapTrilinear, ReadsFacesAsTheFormulasSay) {
  for (const int n : {64, 33}) {
    const Image source = one_channel(n, 6 * n);
    std::vector<Levels> cube;
    for (int f = 0; f < 6; ++f) cube.push_back(levels_of(source, {0, f * n, n, n}));
    const std::string words = "envmap --filter trilinear --from cube-faces";
    for (const auto& [w, h] : {std::pair{128, 64}, {56, 37}})
      EXPECT_LT(worst_difference(run_chain(words + to_size("latlong", w, h), source),
                                 [&, w = w, h = h](int x, int y) {
                                   return read_cube(cube, view_of(x, y, [&](double u, double v) {
                                                      return looks_latlong(w, h, u, v);
                                                    }));
                                 }),
                0.03)
          << n << " to " << w;
    for (const int side : {32, 15})
      EXPECT_LT(worst_difference(run_chain(words + to_size("cube-faces", side, 6 * side), source),
                                 [&](int x, int y) {
                                   return read_cube(cube,
                                                    view_of(x, y % side, [&](double u, double v) {
                                                      return looks_face(y / side, side, u, v);
                                                    }));
                                 }),
                0.03)
          << n << " to " << side;
  }
}

}  // namespace
}  // namespace cuimg::test

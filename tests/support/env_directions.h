// SPDX-License-Identifier: Apache-2.0
// The directions of the pixels of environment maps, in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "support/images.h"

namespace cuimg::test {

inline constexpr double pi = 3.14159265358979323846;

struct Direction {
  double x, y, z;
};
inline double dot(const Direction& a, const Direction& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline double angle_between(const Direction& a, const Direction& b) {
  const Direction c = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  return std::atan2(std::sqrt(dot(c, c)), dot(a, b));
}

struct StripFace {
  Direction axis, right, down;
};
inline constexpr StripFace strip_faces[] = {
    {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}},  {{-1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
    {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}},  {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}},
    {{0, 0, 1}, {-1, 0, 0}, {0, -1, 0}}, {{0, 0, -1}, {1, 0, 0}, {0, -1, 0}}};

// The direction of a position in a latlong picture or a strip of faces; (x, y) is relative to the
// upper left edge.
inline Direction looks_latlong(int width, int height, double x, double y) {
  const double longitude = pi - 2 * pi * x / width, latitude = pi / 2 - pi * y / height;
  return {std::cos(latitude) * std::sin(longitude), std::sin(latitude),
          std::cos(latitude) * std::cos(longitude)};
}
inline Direction looks_face(int face, int side, double x, double y) {
  const StripFace& f = strip_faces[face];
  const double u = 2 * x / side - 1, v = 2 * y / side - 1, length = std::sqrt(1 + u * u + v * v);
  return {(f.axis.x + u * f.right.x + v * f.down.x) / length,
          (f.axis.y + u * f.right.y + v * f.down.y) / length,
          (f.axis.z + u * f.right.z + v * f.down.z) / length};
}

/// The largest difference in a picture's first channel. @param expected takes (x, y) and returns a
/// double.
template <class Expected>
double worst_difference(const Image& made, const Expected& expected) {
  const Rect& r = made.spec().data_window;
  double worst = 0;
  for (int y = 0; y < r.height; ++y)
    for (int x = 0; x < r.width; ++x)
      worst = std::max(worst, std::fabs(double{value_at(made, x, y)} - expected(x, y)));
  return worst;
}
/// Options of envmap.
inline std::string to_size(const std::string& layout, int width, int height) {
  return " --to " + layout + " --size " + std::to_string(width) + "x" + std::to_string(height);
}

}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// Pictures of all directions in every layout, from formulas in double.
#pragma once

#include <cmath>
#include <optional>
#include <string>

#include <vector>

#include "support/env_directions.h"

namespace cuimg::test {

inline Direction unit_direction(const Direction& d) {
  const double length = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  return {d.x / length, d.y / length, d.z / length};
}

// A cell of a 3:4 cross: the direction of the face's middle, and the directions to its right and
// below.
struct EnvCell {
  int column, row;
  Direction axis, right, down;
};
inline constexpr EnvCell cross_cells[] = {
    {1, 0, {0, 1, 0}, {-1, 0, 0}, {0, 0, 1}},   {0, 1, {1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
    {1, 1, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}},  {2, 1, {-1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
    {1, 2, {0, -1, 0}, {-1, 0, 0}, {0, 0, -1}}, {1, 3, {0, 0, -1}, {-1, 0, 0}, {0, 1, 0}}};
inline constexpr EnvCell strip_cells[] = {
    {0, 0, {1, 0, 0}, {0, 0, 1}, {0, -1, 0}},  {0, 1, {-1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
    {0, 2, {0, 1, 0}, {1, 0, 0}, {0, 0, -1}},  {0, 3, {0, -1, 0}, {1, 0, 0}, {0, 0, 1}},
    {0, 4, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}}, {0, 5, {0, 0, -1}, {1, 0, 0}, {0, -1, 0}}};

/// The direction of a pixel's centre; nothing for pixels that show no direction. @param fov
/// degrees.
inline std::optional<Direction> env_looks(const std::string& layout, int width, int height, int x,
                                          int y, double fov = 0) {
  const double s = (x + 0.5) / width, t = (y + 0.5) / height;
  if (layout == "latlong") {
    const double longitude = pi - 2 * pi * s, latitude = pi / 2 - pi * t;
    return Direction{std::cos(latitude) * std::sin(longitude), std::sin(latitude),
                     std::cos(latitude) * std::cos(longitude)};
  }
  if (layout.starts_with("cube")) {
    const bool cross = layout == "cube-cross";
    const int n = cross ? width / 3 : width;
    for (const EnvCell& f : cross ? cross_cells : strip_cells) {
      if (x / n != f.column || y / n != f.row) continue;
      const double u = 2 * (x - f.column * n + 0.5) / n - 1, v = 2 * (y - f.row * n + 0.5) / n - 1;
      return unit_direction({f.axis.x + u * f.right.x + v * f.down.x,
                             f.axis.y + u * f.right.y + v * f.down.y,
                             f.axis.z + u * f.right.z + v * f.down.z});
    }
    return std::nullopt;
  }
  const double u = 2 * s - 1, v = 1 - 2 * t, r = std::sqrt(u * u + v * v);
  const double half_field = fov * pi / 360;
  if (layout == "view")
    return unit_direction(
        {-u * std::tan(half_field), v * std::tan(half_field) * height / width, 1});
  if (r > 1) return std::nullopt;
  if (layout.starts_with("equi")) {
    const double angle =
        layout == "equidistant" ? r * half_field : 2 * std::asin(r * std::sin(half_field / 2));
    const double k = r > 0 ? std::sin(angle) / r : 0;
    return Direction{-u * k, v * k, std::cos(angle)};
  }
  if (layout == "angular") {
    const double k = r > 0 ? std::sin(pi * r) / r : pi;
    return Direction{-u * k, v * k, std::cos(pi * r)};
  }
  // The ball's normal at this point, and the reflection of the line of sight, +z.
  const Direction normal = {-u, v, -std::sqrt(1 - r * r)};
  return Direction{-2 * normal.z * normal.x, -2 * normal.z * normal.y, 1 - 2 * normal.z * normal.z};
}

/// A camera's direction after rotations to the right, up and clockwise, in degrees. They follow the
/// right-hand rule (Rodrigues) around the axes; each rotation also moves the axes of the next.
inline Direction env_turned(const Direction& d, const std::vector<double>& rotate) {
  const auto around = [](const Direction& axis, double degrees, const Direction& v) {
    const double a = degrees * pi / 180, c = std::cos(a), s = std::sin(a);
    const Direction n = {axis.y * v.z - axis.z * v.y, axis.z * v.x - axis.x * v.z,
                         axis.x * v.y - axis.y * v.x};
    const double k = dot(axis, v) * (1 - c);
    return Direction{v.x * c + n.x * s + axis.x * k, v.y * c + n.y * s + axis.y * k,
                     v.z * c + n.z * s + axis.z * k};
  };
  const auto degrees = [&](std::size_t i) { return i < rotate.size() ? rotate[i] : 0.0; };
  Direction left = {1, 0, 0}, up = {0, 1, 0}, ahead = {0, 0, 1};
  left = around(up, -degrees(0), left), ahead = around(up, -degrees(0), ahead);
  up = around(left, -degrees(1), up), ahead = around(left, -degrees(1), ahead);
  left = around(ahead, degrees(2), left), up = around(ahead, degrees(2), up);
  return {d.x * left.x + d.y * up.x + d.z * ahead.x, d.x * left.y + d.y * up.y + d.z * ahead.y,
          d.x * left.z + d.y * up.z + d.z * ahead.z};
}

struct EnvKind {
  std::string name;
  int width, height;  ///< With 32 texels for a quarter of the horizon.
};
inline const EnvKind env_kinds[] = {{"latlong", 128, 64},
                                    {"cube-cross", 96, 128},
                                    {"cube-faces", 32, 192},
                                    {"mirrorball", 128, 128},
                                    {"angular", 128, 128}};

template <class Function>
Image env_picture(const EnvKind& layout, int channels, const Function& function) {
  const Spec spec = spec_of({0, 0, layout.width, layout.height}, PixelType::f32, channels);
  return image_of(spec, [&](int, int x, int y, int c) -> double {
    const auto d = env_looks(layout.name, layout.width, layout.height, x, y);
    return d ? function(*d, c) : 0.0;
  });
}

inline double env_smooth(const Direction& d, int channel) {
  if (channel == 0) return 0.5 + 0.3 * d.x - 0.2 * d.y * d.z;
  if (channel == 1) return 0.5 + 0.3 * d.y + 0.2 * d.x * d.x * d.z;
  return 0.5 + 0.3 * d.z + 0.2 * d.x * d.y;
}

inline std::string env_words(const EnvKind& from, const EnvKind& to) {
  return "envmap --from " + from.name + " --to " + to.name;
}

}  // namespace cuimg::test

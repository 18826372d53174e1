// SPDX-License-Identifier: Apache-2.0
// Layouts of environment maps: the direction of a pixel, and the position of a direction. +y is up;
// the picture's middle looks along +z, with +x to the left.
#pragma once

#include <cstdint>

#include "kernels/math/angle32.h"
#include "kernels/math/platform.h"
#include "kernels/math/vector3.h"

namespace cuimg {

/// A view and an equisolid disc are only outputs, so position() does not support them.
enum class EnvProjection : std::uint8_t { latlong, cube, mirrorball, angular, view, equisolid };

/// A cube's face: its viewing direction, and the directions of its picture's right and lower side.
/// Components are 1, 0 and -1.
struct EnvFace {
  std::int8_t axis[3], right[3], down[3];
  int x, y;  ///< Its top left pixel.
};

/// A position in a picture: a cube's face, and the distance from the centre of its first texel, in
/// units of 2^-32 texel.
struct EnvPosition {
  int face;
  std::int64_t x, y;
};

/// An offset from a pixel's middle, in units of 1 / env_pixel pixel.
struct EnvOffset {
  int x = 0, y = 0;
};
inline constexpr int env_pixel = 4096;

struct EnvLayout {
  EnvProjection projection;
  /// Whether the outermost texels are on the edges, as in OpenEXR (ImfEnvmap.h), instead of half a
  /// texel inside.
  bool on_edges;
  int width, height;                    ///< The size of the picture, or of a face for a cube.
  EnvFace faces[6];                     ///< +X, -X, +Y, -Y, +Z, -Z.
  std::int64_t step_x = 0, step_y = 0;  ///< See part().
  float rim = 0x1p31f;  ///< The angle between +z and an angular disc's rim; 2^31 is -z.
  /// Half the sides of a view, on the plane at distance 1. For an equisolid disc `half_x` is the
  /// sine of half the angle between +z and its rim.
  float half_x = 0, half_y = 0;

  /// Called when the sides are known.
  void prepare() {
    step_x = ((std::int64_t{1} << 61) + half_side(width) - 1) / half_side(width);
    step_y = ((std::int64_t{1} << 61) + half_side(height) - 1) / half_side(height);
  }

  /// The face that contains a pixel, 0 if there are no faces; -1: the pixel shows no direction.
  CUIMG_HD int face_at(int x, int y) const {
    if (projection == EnvProjection::latlong || projection == EnvProjection::view) return 0;
    if (projection == EnvProjection::cube) {
      const auto within = [](int i, int size) {
        return static_cast<unsigned>(i) < static_cast<unsigned>(size);
      };
      for (int f = 0; f < 6; ++f)
        if (within(x - faces[f].x, width) && within(y - faces[f].y, height)) return f;
      return -1;
    }
    return is_on_disc(x, y) ? 0 : -1;
  }

  /// The direction of a pixel, a unit vector. @param x, y on its face or in the picture, possibly
  /// outside.
  CUIMG_HD Vector3 direction(int face, int x, int y, EnvOffset offset = {}) const {
    const Vector3 d = ray(face, x, y, offset);
    return is_flat() ? normalized(d) : d;
  }
  /// The same, of any length for a cube and a view.
  CUIMG_HD Vector3 ray(int face, int x, int y, EnvOffset offset = {}) const {
    if (projection == EnvProjection::latlong) {
      const auto longitude =
          0x80000000u - 2 * static_cast<std::uint32_t>(part(place(x, offset.x), step_x));
      const auto latitude =
          0x40000000u - static_cast<std::uint32_t>(part(place(y, offset.y), step_y));
      const float level = cosine_of_turns(latitude);
      return {level * sine_of_turns(longitude), sine_of_turns(latitude),
              level * cosine_of_turns(longitude)};
    }
    const float u = centered(x, width, offset.x), v = centered(y, height, offset.y);
    if (projection == EnvProjection::cube) {
      const EnvFace& f = faces[face];
      // A position beyond an edge continues on the neighbouring face, whose pixels there see the
      // same directions.
      const float a = clamp(u, -1.0f, 1.0f), b = clamp(v, -1.0f, 1.0f);
      const float depth = 1.0f - abs(u - a) - abs(v - b);
      return depth * vector(f.axis) + a * vector(f.right) + b * vector(f.down);
    }
    if (projection == EnvProjection::view) return {-u * half_x, -v * half_y, 1.0f};
    const float radius2 = u * u + v * v;
    if (projection == EnvProjection::equisolid) {
      const float sine2 = half_x * half_x * radius2;
      const float inside = sine2 < 1.0f ? sine2 : 1.0f;
      const float m = 2.0f * half_x * sqrt(1.0f - inside);
      return normalized({-u * m, -v * m, 1.0f - 2.0f * inside});
    }
    if (projection == EnvProjection::mirrorball) {
      // A camera that looks along +z sees reflections on the ball's surface; the middle reflects
      // the camera.
      const float inside = radius2 < 1.0f ? radius2 : 1.0f;
      const float m = 2.0f * sqrt(1.0f - inside);
      return normalized({-u * m, -v * m, 2.0f * inside - 1.0f});
    }
    const float radius = sqrt(radius2);
    const auto from_front = static_cast<std::uint32_t>(static_cast<std::int64_t>(radius * rim));
    const float side = radius > 0.0f ? sine_of_turns(from_front) / radius : 0.0f;
    return {-u * side, -v * side, cosine_of_turns(from_front)};
  }

  /// Whether ray() ends on a plane.
  CUIMG_HD bool is_flat() const {
    return projection == EnvProjection::cube || projection == EnvProjection::view;
  }
  /// Whether position() needs a unit vector.
  CUIMG_HD bool is_disc() const {
    return projection == EnvProjection::mirrorball || projection == EnvProjection::angular;
  }
  /// The position of a direction. @param d a unit vector for discs.
  CUIMG_HD EnvPosition position(const Vector3& d) const {
    const float level2 = d.x * d.x + d.z * d.z;
    if (projection == EnvProjection::latlong) {
      const std::uint32_t across = 0x80000000u - turns_of(d.x, d.z);
      const auto latitude = static_cast<std::int32_t>(turns_of(d.y, sqrt(level2)));
      const std::int64_t down = 0x80000000ll - 2 * std::int64_t{latitude};
      return {0, texels(across, width), texels(down, height)};
    }
    if (projection == EnvProjection::cube) {
      const int f = face_of(d);
      const float major = dot(d, vector(faces[f].axis));
      return {f, along(dot(d, vector(faces[f].right)) / major, width),
              along(dot(d, vector(faces[f].down)) / major, height)};
    }
    const float off_axis = sqrt(d.x * d.x + d.y * d.y);
    const float radius = disc_radius(d, off_axis);
    const float scale = off_axis > 0.0f ? radius / off_axis : 0.0f;
    // The direction that the whole rim shows is placed on the right.
    const float u = off_axis > 0.0f ? -d.x * scale : radius;
    return {0, along(u, width), along(-d.y * scale, height)};
  }

  /// The number of texels along a small turn of a direction; near a pole, where texels are crowded,
  /// at most four times as many as elsewhere.
  CUIMG_HD float texels_along(const Vector3& d, const Vector3& turn) const {
    constexpr float crowd = 4.0f, per_radian = 0.31830989f;  // 1 / pi
    if (projection == EnvProjection::cube) {
      const EnvFace& f = faces[face_of(d)];
      const float major = dot(d, vector(f.axis)), change = dot(turn, vector(f.axis));
      const float u = slope(dot(d, vector(f.right)), dot(turn, vector(f.right)), major, change);
      const float v = slope(dot(d, vector(f.down)), dot(turn, vector(f.down)), major, change);
      return 0.5f * static_cast<float>(width) * sqrt(u * u + v * v);
    }
    const bool upright = projection == EnvProjection::latlong;
    // Around the pole: the y axis, or the z axis in the middle of discs.
    const float a = d.x, b = upright ? d.z : d.y;
    const float level = sqrt(a * a + b * b);
    const float around =
        level > 0x1p-20f ? (b * turn.x - a * (upright ? turn.z : turn.y)) / level : 0.0f;
    const float rest = dot(turn, turn) - around * around;
    const float outward = sqrt(rest > 0.0f ? rest : 0.0f);
    const auto w = static_cast<float>(width), h = static_cast<float>(height);
    const float spread = level > 1.0f / crowd ? 1.0f / level : crowd;
    if (upright) {
      const float x = around * spread * w * (0.5f * per_radian), y = outward * h * per_radian;
      return sqrt(x * x + y * y);
    }
    const float radius = disc_radius(d, level);
    const float least = projection == EnvProjection::angular ? per_radian : 0.5f;
    const float dense = level > 0x1p-20f ? radius / level : least;
    const float x = around * (dense < crowd * least ? dense : crowd * least), y = outward * least;
    return 0.5f * w * sqrt(x * x + y * y);
  }

  /// Whether the centre of a disc's texel is on the disc.
  CUIMG_HD bool is_on_disc(int x, int y) const {
    const std::int64_t a = 2 * x + 1 - width, b = 2 * y + 1 - height;
    return a * a + b * b <= static_cast<std::int64_t>(width) * width;
  }

 private:
  CUIMG_HD static Vector3 vector(const std::int8_t (&v)[3]) {
    return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
  }

  // From the beginning of the side, in units of 2 / env_pixel pixel.
  CUIMG_HD int place(int pixel, int offset) const {
    return (2 * pixel + (on_edges ? 0 : 1)) * env_pixel + 2 * offset;
  }
  CUIMG_HD int half_side(int size) const {
    const int intervals = on_edges ? size - 1 : size;
    return env_pixel * (intervals > 0 ? intervals : 1);
  }
  // From -1 to 1.
  CUIMG_HD float centered(int pixel, int size, int offset) const {
    const int half = half_side(size);
    return static_cast<float>(place(pixel, offset) - half) / static_cast<float>(half);
  }
  // Scaled to 2^31 for the whole side, with a step that is rounded up: exact at both ends.
  CUIMG_HD static std::int64_t part(int at, std::int64_t step) { return (at * step) >> 31; }
  CUIMG_HD std::int64_t texels(std::int64_t part_of_side, int size) const {
    return on_edges ? part_of_side * (size - 1) : part_of_side * size - 0x80000000ll;
  }
  // For a position from -1 to 1.
  CUIMG_HD std::int64_t along(float u, int size) const {
    const float inside = u > -1.0f ? (u < 1.0f ? u : 1.0f) : -1.0f;
    return texels((static_cast<std::int64_t>(inside * 0x1p32f) + 0x100000000ll) >> 1, size);
  }
  CUIMG_HD static int face_of(const Vector3& d) {
    const float x = abs(d.x), y = abs(d.y), z = abs(d.z);
    if (x >= y && x >= z) return d.x < 0.0f ? 1 : 0;
    if (y >= z) return d.y < 0.0f ? 3 : 2;
    return d.z < 0.0f ? 5 : 4;
  }
  // The derivative of value / major.
  CUIMG_HD static float slope(float value, float value_change, float major, float change) {
    return (value_change * major - value * change) / (major * major);
  }
  // The distance from a disc's middle, where the rim is 1. @param off_axis the direction's distance
  // from the z axis.
  CUIMG_HD float disc_radius(const Vector3& d, float off_axis) const {
    if (projection == EnvProjection::angular)
      return static_cast<float>(turns_of(off_axis, d.z)) * 0x1p-31f;
    // sin(a / 2) of the angle a from -z, in the form without cancellation.
    if (d.z < 0.0f) return off_axis / (2.0f * sqrt(0.5f * (1.0f - d.z)));
    return sqrt(0.5f * (1.0f + d.z));
  }
};

}  // namespace cuimg

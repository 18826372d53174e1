// SPDX-License-Identifier: Apache-2.0
// A small ray tracer: spheres on a round checkered floor under a sky, a sun and lamps. It uses
// sums, products, quotients and square roots in a fixed order, so every device makes the same
// picture.
#pragma once

#include "kernels/color/luminance.h"
#include "kernels/color/pixel_op.h"
#include "kernels/math/vector3.h"

namespace cuimg {

struct Sphere {
  Vector3 center;
  float radius;
  Vector3 diffuse;  ///< The share of light that is scattered.
  float gloss;      ///< Strength of the sun's highlight.
  Vector3 mirror;   ///< The share of light that is reflected.
  float glow;       ///< Emitted radiance, multiplied by `diffuse`: a lamp.
};

struct Spheres {
  static constexpr int most = 200, most_lamps = 4;
  static constexpr int deepest = 4;  ///< The depth of reflections of reflections.

  Sphere spheres[most];
  int count = 0;
  int lamps = 0;  ///< The number of lamps, which come first.
  float floor_radius = 1;
  Vector3 eye, forward;  ///< `forward` points to the picture's middle,
  Vector3 right, down;   ///< these two are a step of one pixel.
  int width, height;
  int rays;  ///< Rays through every pixel, on each axis.
  PixelShape shape;

  CUIMG_HD void operator()(int x, int y, float* v) const {
    Vector3 light = {0, 0, 0};
    int covered = 0;
    for (int j = 0; j < rays; ++j)
      for (int i = 0; i < rays; ++i) {
        const Vector3 direction = camera_direction(x, y, i, j);
        const Hit hit = closest(eye, direction);
        covered += hit.object != nothing ? 1 : 0;
        if (hit.object != nothing || shape.alpha < 0) light = light + radiance(eye, direction, hit);
      }
    const auto all = static_cast<float>(rays * rays);
    light = {light.x / all, light.y / all, light.z / all};
    const float grey = rec709_luminance(light.x, light.y, light.z);
    v[0] = shape.colors == 1 ? grey : light.x;
    v[1] = light.y, v[2] = light.z, v[3] = 0.0f;
    for (int c = 0; c < 4; ++c)
      if (c == shape.alpha) v[c] = static_cast<float>(covered) / all;
    for (int c = 0; c < 4; ++c) v[c] = canonical_nan(v[c]);
  }

 private:
  static constexpr int nothing = -1, the_floor = -2;
  static constexpr float far_away = 1e30f;
  static constexpr float hair = 1e-3f;  ///< The distance from a surface at which rays begin.

  struct Hit {
    float distance;
    int object;
  };
  struct Surface {
    Vector3 point, normal, diffuse, mirror;
    float gloss, glow;
  };

  // Through the middle of one of the pixel's rays * rays squares.
  CUIMG_HD Vector3 camera_direction(int x, int y, int i, int j) const {
    const auto squares = static_cast<float>(2 * rays);
    const float dx =
        static_cast<float>(2 * x - width) * 0.5f + static_cast<float>(2 * i + 1) / squares;
    const float dy =
        static_cast<float>(2 * y - height) * 0.5f + static_cast<float>(2 * j + 1) / squares;
    return normalized(forward + dx * right + dy * down);
  }

  // Along a ray whose direction has length 1.
  CUIMG_HD static float distance_to(const Sphere& s, Vector3 from, Vector3 direction) {
    const Vector3 offset = s.center - from;
    const float middle = dot(offset, direction);
    const Vector3 beside = offset - middle * direction;
    const float under = s.radius * s.radius - dot(beside, beside);
    if (!(under >= 0.0f)) return far_away;
    const float half_chord = sqrt(under);
    if (middle - half_chord > hair) return middle - half_chord;
    return middle + half_chord > hair ? middle + half_chord : far_away;
  }

  CUIMG_HD Hit closest(Vector3 from, Vector3 direction) const {
    Hit hit = {far_away, nothing};
    for (int i = 0; i < count; ++i) {
      const float d = distance_to(spheres[i], from, direction);
      if (d < hit.distance) hit = {d, i};
    }
    if (direction.y < 0.0f) {
      const float d = -from.y / direction.y;
      const Vector3 p = from + d * direction;
      if (d > hair && d < hit.distance && p.x * p.x + p.z * p.z < floor_radius * floor_radius)
        hit = {d, the_floor};
    }
    return hit;
  }

  // Whether a sphere other than a lamp is in between.
  CUIMG_HD bool in_shadow(Vector3 from, Vector3 direction, float distance) const {
    for (int i = lamps; i < count; ++i)
      if (distance_to(spheres[i], from, direction) < distance) return true;
    return false;
  }

  CUIMG_HD static Vector3 sky(Vector3 direction) {
    const float up = direction.y > 0.0f ? direction.y : 0.0f;
    return (1.0f - up) * Vector3{0.45f, 0.55f, 0.65f} + up * Vector3{0.06f, 0.16f, 0.45f};
  }

  CUIMG_HD Surface surface(Vector3 from, Vector3 direction, const Hit& hit) const {
    const Vector3 p = from + hit.distance * direction;
    if (hit.object == the_floor) {
      const bool white = ((floor_to_int(2.0f * p.x) + floor_to_int(2.0f * p.z)) & 1) != 0;
      const float shade = white ? 0.7f : 0.12f;
      return {{p.x, 0.0f, p.z}, {0, 1, 0}, {shade, shade, shade}, {0.05f, 0.05f, 0.05f}, 0, 0};
    }
    const Sphere& s = spheres[hit.object];
    return {p, normalized(p - s.center), s.diffuse, s.mirror, s.gloss, s.glow};
  }

  // The light that the surface scatters and emits, without its reflections.
  CUIMG_HD Vector3 shaded(const Surface& s, Vector3 direction) const {
    if (s.glow > 0.0f) return s.glow * s.diffuse;
    constexpr Vector3 sun = {1.5f, 1.4f, 1.25f};
    const Vector3 to_sun = normalized({-0.55f, 0.85f, 0.6f});
    Vector3 sum = 0.35f * s.diffuse * sky(s.normal);
    const float facing = dot(s.normal, to_sun);
    if (facing > 0.0f && !in_shadow(s.point, to_sun, far_away)) {
      sum = sum + facing * s.diffuse * sun;
      const float aligned = dot(s.normal, normalized(to_sun - direction));
      float lobe = aligned > 0.0f ? aligned : 0.0f;
      for (int i = 0; i < 8; ++i) lobe = lobe * lobe;  // ^256
      sum = sum + s.gloss * lobe * sun;
    }
    for (int i = 0; i < lamps; ++i) {
      const Sphere& lamp = spheres[i];
      const Vector3 offset = lamp.center - s.point;
      const float squared = dot(offset, offset);
      const float distance = sqrt(squared);
      const Vector3 to_lamp = (1.0f / distance) * offset;
      const float facing_lamp = dot(s.normal, to_lamp);
      if (facing_lamp > 0.0f && !in_shadow(s.point, to_lamp, distance))
        sum = sum + (facing_lamp * lamp.glow * lamp.radius * lamp.radius / squared) * s.diffuse *
                        lamp.diffuse;
    }
    return sum;
  }

  CUIMG_HD Vector3 radiance(Vector3 from, Vector3 direction, Hit hit) const {
    Vector3 sum = {0, 0, 0}, share = {1, 1, 1};
    for (int depth = 0;; ++depth) {
      if (hit.object == nothing) return sum + share * sky(direction);
      const Surface s = surface(from, direction, hit);
      sum = sum + share * shaded(s, direction);
      if (depth == deepest || s.glow > 0.0f || !(s.mirror.x > 0.0f)) return sum;
      share = share * s.mirror;
      from = s.point;
      direction = normalized(direction - 2.0f * dot(direction, s.normal) * s.normal);
      hit = closest(from, direction);
    }
  }
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The scene and the ray tracer. Everything is double and in a fixed order; std::sqrt of a double is
// correctly rounded everywhere, and nothing else of libm is used.
#include "spheres.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/math/half.h"

namespace cuimg::samples {
namespace {

struct Vec {
  double x, y, z;
};
constexpr Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec operator*(Vec a, Vec b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
constexpr Vec operator*(double s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }
constexpr double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec cross(Vec a, Vec b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Vec normalized(Vec a) { return (1 / std::sqrt(dot(a, a))) * a; }

struct Material {
  Vec diffuse;   ///< Share of light scattered.
  Vec mirror;    ///< Share of light reflected.
  double gloss;  ///< Strength of the sun's highlight.
  Vec emitted;   ///< Radiance of its own.
};
struct Sphere {
  Vec center;
  double radius;
  Material material;
};

constexpr Vec sun_radiance = {1.5, 1.4, 1.25};
constexpr Vec sky_zenith = {0.06, 0.16, 0.45}, sky_horizon = {0.45, 0.55, 0.65};
constexpr Vec lamp_power = {3.5, 2.5, 1.25};
constexpr std::size_t lamp = 5;

constexpr std::array<Sphere, 6> scene = {{
    {{-1.75, 0.8, 0.0}, 0.8, {{0.75, 0.08, 0.06}, {0.04, 0.04, 0.04}, 100, {}}},
    {{0.1, 1.0, -0.7}, 1.0, {{0.02, 0.02, 0.02}, {0.9, 0.9, 0.92}, 200, {}}},
    {{1.9, 0.7, 0.1}, 0.7, {{0.05, 0.03, 0.01}, {0.95, 0.7, 0.3}, 150, {}}},
    {{-0.7, 0.35, 1.35}, 0.35, {{0.05, 0.2, 0.75}, {0.06, 0.06, 0.06}, 130, {}}},
    {{0.75, 0.3, 1.3}, 0.3, {{0.1, 0.6, 0.15}, {0.05, 0.05, 0.05}, 80, {}}},
    {{1.2, 2.2, -0.2}, 0.16, {{}, {}, 0, {420, 300, 150}}},
}};
constexpr double floor_radius = 3.6;
constexpr std::uint32_t floor_id = 100;

struct Hit {
  double distance = std::numeric_limits<double>::infinity();
  std::uint32_t id = 0;  ///< 1 and up for spheres, floor_id, 0 for nothing.
  Vec point{}, normal{};
  Material material{};
};

// The distance to a sphere along a ray of unit direction; infinity if missed or extremely close.
double distance_to(const Sphere& s, Vec from, Vec direction) {
  constexpr double hair = 1e-6;
  const Vec offset = s.center - from;
  const double along = dot(offset, direction);
  const double under = s.radius * s.radius - (dot(offset, offset) - along * along);
  if (under < 0) return std::numeric_limits<double>::infinity();
  const double half_chord = std::sqrt(under);
  if (along - half_chord > hair) return along - half_chord;
  if (along + half_chord > hair) return along + half_chord;
  return std::numeric_limits<double>::infinity();
}

Material floor_material(Vec p) {
  // The offset keeps the truncated coordinates positive.
  const bool white = ((static_cast<int>(2 * p.x + 100) + static_cast<int>(2 * p.z + 100)) & 1) != 0;
  const double shade = white ? 0.7 : 0.12;
  return {{shade, shade, shade}, {0.05, 0.05, 0.05}, 0, {}};
}

Hit closest(Vec from, Vec direction) {
  Hit hit;
  for (std::size_t i = 0; i < scene.size(); ++i) {
    const double d = distance_to(scene[i], from, direction);
    if (d >= hit.distance) continue;
    hit.distance = d;
    hit.id = static_cast<std::uint32_t>(i + 1);
    hit.point = from + d * direction;
    hit.normal = (1 / scene[i].radius) * (hit.point - scene[i].center);
    hit.material = scene[i].material;
  }
  if (direction.y < 0) {
    const double d = -from.y / direction.y;
    const Vec p = from + d * direction;
    if (d > 1e-6 && d < hit.distance && p.x * p.x + p.z * p.z < floor_radius * floor_radius)
      hit = {d, floor_id, p, {0, 1, 0}, floor_material(p)};
  }
  return hit;
}

// Whether a sphere other than the lamp is between the point and the lamp.
bool in_shadow(Vec from, Vec direction, double distance) {
  for (std::size_t i = 0; i < scene.size(); ++i)
    if (i != lamp && distance_to(scene[i], from, direction) < distance) return true;
  return false;
}

Vec sky(Vec direction) {
  const double up = direction.y > 0 ? direction.y : 0;
  return (1 - up) * sky_horizon + up * sky_zenith;
}

Vec radiance(Vec direction, const Hit& hit, int depth) {
  if (hit.id == 0) return sky(direction);
  const Material& m = hit.material;
  Vec sum = m.emitted + 0.35 * m.diffuse * sky(hit.normal);
  const Vec to_sun = normalized({-0.55, 0.85, 0.6});
  const double facing_sun = dot(hit.normal, to_sun);
  if (facing_sun > 0 && !in_shadow(hit.point, to_sun, 1e30)) {
    sum = sum + facing_sun * m.diffuse * sun_radiance;
    const double aligned = dot(hit.normal, normalized(to_sun - direction));
    double lobe = aligned > 0 ? aligned : 0;
    for (int i = 0; i < 8; ++i) lobe = lobe * lobe;  // ^256
    sum = sum + m.gloss * lobe * sun_radiance;
  }
  const Vec to_lamp = scene[lamp].center - hit.point;
  const double squared = dot(to_lamp, to_lamp);
  const Vec lamp_direction = normalized(to_lamp);
  const double facing_lamp = dot(hit.normal, lamp_direction);
  if (facing_lamp > 0 && hit.id != lamp + 1 &&
      !in_shadow(hit.point, lamp_direction, std::sqrt(squared)))
    sum = sum + (facing_lamp / squared) * m.diffuse * lamp_power;
  if (depth > 0 && m.mirror.x > 0) {
    const Vec reflected = normalized(direction - 2 * dot(direction, hit.normal) * hit.normal);
    const Hit next = closest(hit.point, reflected);
    sum = sum + m.mirror * radiance(reflected, next, depth - 1);
  }
  return sum;
}

struct Ray {
  Vec from, direction;
};

// The ray through point (x, y) of a picture, in pixels, which may be fractional.
Ray camera_ray(double x, double y, int width, int height) {
  constexpr Vec eye = {0.3, 2.1, 6.6};
  constexpr double half_height = 0.32;
  const Vec forward = normalized(Vec{0, 0.85, 0} - eye);
  const Vec right = normalized(cross(forward, {0, 1, 0}));
  const Vec up = cross(right, forward);
  const double scale = 2 * half_height / height;
  return {eye, normalized(forward + scale * (x - width / 2.0) * right +
                          scale * (height / 2.0 - y) * up)};
}

struct Shaded {
  std::array<double, 4> rgba{};
  float depth = std::numeric_limits<float>::infinity();
  std::uint32_t id = 0;
};

// The average of 4x4 rays. Depth and number are those of one ray near the middle.
Shaded shade(int x, int y, int width, int height) {
  Shaded result;
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i) {
      const Ray ray = camera_ray(x + (2 * i + 1) / 8.0, y + (2 * j + 1) / 8.0, width, height);
      const Hit hit = closest(ray.from, ray.direction);
      if (hit.id == 0) continue;
      const Vec light = radiance(ray.direction, hit, 4);
      result.rgba[0] += light.x / 16;
      result.rgba[1] += light.y / 16;
      result.rgba[2] += light.z / 16;
      result.rgba[3] += 1.0 / 16;
      if (i == 2 && j == 2) {
        result.depth = static_cast<float>(hit.distance);
        result.id = hit.id;
      }
    }
  return result;
}

void store_rgba(const Shaded& pixel, Half* row) {
  for (std::size_t c = 0; c < 4; ++c) row[c] = float_to_half(static_cast<float>(pixel.rgba[c]));
}

}  // namespace

Image spheres(int width, int height) {
  Spec spec;
  spec.data_window = spec.display_window = {0, 0, width, height};
  spec.layers = {{"", {"R", "G", "B", "A"}, PixelType::half}};
  Image image(spec);
  for (int y = 0; y < height; ++y) {
    auto* row = reinterpret_cast<Half*>(image.row(0, y));
    for (int x = 0; x < width; ++x) store_rgba(shade(x, y, width, height), row + 4 * x);
  }
  return image;
}

Image spheres_with_layers(int width, int height) {
  Spec spec;
  spec.display_window = {0, 0, width, height};
  spec.data_window = rect_from_edges(8, 6, width - 8, height - 6);
  spec.layers = {{"", {"R", "G", "B", "A"}, PixelType::half},
                 {"", {"Z"}, PixelType::f32},
                 {"", {"id"}, PixelType::u32}};
  Image image(spec);
  const Rect& window = spec.data_window;
  for (int y = window.y; y < window.bottom(); ++y) {
    auto* rgba = reinterpret_cast<Half*>(image.row(0, y));
    auto* depth = reinterpret_cast<float*>(image.row(1, y));
    auto* id = reinterpret_cast<std::uint32_t*>(image.row(2, y));
    for (int x = window.x; x < window.right(); ++x) {
      const Shaded pixel = shade(x, y, width, height);
      const int i = x - window.x;
      store_rgba(pixel, rgba + 4 * i);
      depth[i] = pixel.depth;
      id[i] = pixel.id;
    }
  }
  return image;
}

}  // namespace cuimg::samples

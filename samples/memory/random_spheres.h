// SPDX-License-Identifier: Apache-2.0
// Random spheres for a ray tracer, seen from the front, and their picture computed by the host.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace cuimg::samples {

struct Sphere {
  float x, y, z, radius;  // x and y from 0 to 1 across the picture; the eye is at z = infinity
  float red, green, blue;
};

struct Color {
  float red, green, blue;
};

// The sphere nearest to the eye lights the pixel, more strongly the more its surface faces us.
// `sphere(i)` returns a sphere. The loop begins at `first` and wraps around, and the result does
// not depend on `first`: of two equally near spheres, the one with the lower number counts.
template <class GetSphere>
__host__ __device__ Color trace(const GetSphere& sphere, int count, float x, float y, int first) {
  int hit = -1;
  float nearest = 0, facing = 0;
  for (int n = 0, i = first; n < count; ++n) {
    const Sphere s = sphere(i);
    const float dx = x - s.x, dy = y - s.y;
    const float squared = s.radius * s.radius - dx * dx - dy * dy;
    if (squared > 0) {
      const float half_chord = sqrtf(squared), z = s.z + half_chord;
      if (hit < 0 || z > nearest || (z == nearest && i < hit)) {
        hit = i;
        nearest = z;
        facing = half_chord / s.radius;
      }
    }
    i = i + 1 == count ? 0 : i + 1;
  }
  if (hit < 0) return {0, 0, 0};
  const Sphere s = sphere(hit);
  const float squared = facing * facing, light = facing + 4 * squared * squared * squared;
  return {light * s.red, light * s.green, light * s.blue};
}

inline std::vector<float> render_on_host(const std::vector<Sphere>& spheres, int size) {
  std::vector<float> picture;
  const float scale = 1.0f / static_cast<float>(size);
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const Color color =
          trace([&](int i) { return spheres[static_cast<std::size_t>(i)]; },
                static_cast<int>(spheres.size()), (static_cast<float>(x) + 0.5f) * scale,
                (static_cast<float>(y) + 0.5f) * scale, 0);
      picture.insert(picture.end(), {color.red, color.green, color.blue});
    }
  return picture;
}

// Colours of a given hue, with brightness between 1/8 and 16: brighter than a display can show.
inline std::vector<Sphere> random_spheres(int count, int seed) {
  auto state = static_cast<std::uint32_t>(seed);
  const auto random = [&](float least, float most) {
    state = state * 1664525u + 1013904223u;
    return least + (most - least) * static_cast<float>(state >> 8) * 0x1p-24f;
  };
  std::vector<Sphere> spheres(static_cast<std::size_t>(count));
  for (Sphere& s : spheres) {
    s = {random(0, 1), random(0, 1), random(-1, 1), random(0.02f, 0.12f), 0, 0, 0};
    const float brightness = std::exp2(random(-3, 4) - 2);
    s.red = brightness * random(0.1f, 1);
    s.green = brightness * random(0.1f, 1);
    s.blue = brightness * random(0.1f, 1);
  }
  return spheres;
}

}  // namespace cuimg::samples

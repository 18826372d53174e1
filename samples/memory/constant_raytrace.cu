// SPDX-License-Identifier: Apache-2.0
// A hundred random spheres, seen from the front: a ray for each pixel asks every sphere. All
// threads of a warp read the same sphere at the same time, which constant memory answers at once.
// Where each reads another one it answers them one after the other; global memory does not mind as
// much.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "common/card.h"
#include "common/picture.h"
#include "common/sample.h"

using namespace cuimg;
using namespace cuimg::samples;

struct Sphere {
  float x, y, z, radius;  // x and y from 0 to 1 across the picture; the eye is at z = infinity
  float red, green, blue;
};

constexpr int most_spheres = 2048;  // 56 of the 64 KB that __constant__ has
__constant__ Sphere constant_spheres[most_spheres];

struct Colour {
  float red, green, blue;
};

// The sphere that is nearest to the eye lights the pixel, the more the more it faces us.
// `sphere(i)` gives a sphere; they are asked from `first` on and round, and whatever that is, the
// result is the same: of two that are equally near the first one counts.
template <class GetSphere>
__host__ __device__ Colour trace(const GetSphere& sphere, int count, float x, float y, int first) {
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

// @param apart whether the threads of a warp begin with different spheres.
template <bool in_constant_memory>
__global__ void render(const Sphere* global_spheres, int count, int size, bool apart,
                       Colour* picture) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= size || y >= size) return;
  const int lane = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x) % 32;
  const float scale = 1.0f / static_cast<float>(size);
  picture[y * size + x] =
      trace([&](int i) { return in_constant_memory ? constant_spheres[i] : global_spheres[i]; },
            count, (static_cast<float>(x) + 0.5f) * scale, (static_cast<float>(y) + 0.5f) * scale,
            apart ? lane * count / 32 : 0);
}

std::vector<float> render_on_host(const std::vector<Sphere>& spheres, int size) {
  std::vector<float> picture;
  const float scale = 1.0f / static_cast<float>(size);
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const Colour colour =
          trace([&](int i) { return spheres[static_cast<std::size_t>(i)]; },
                static_cast<int>(spheres.size()), (static_cast<float>(x) + 0.5f) * scale,
                (static_cast<float>(y) + 0.5f) * scale, 0);
      picture.insert(picture.end(), {colour.red, colour.green, colour.blue});
    }
  return picture;
}

// Colours of a hue, and of a brightness between 1/8 and 16: more than a display shows.
std::vector<Sphere> random_spheres(int count, int seed) {
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

struct Rendered {
  std::vector<float> picture;
  double ms;
  bool has_bytes_of(const Rendered& other) const {
    return std::memcmp(picture.data(), other.picture.data(), picture.size() * sizeof(float)) == 0;
  }
};

template <bool in_constant_memory>
Rendered render_on_card(const std::vector<Sphere>& spheres, int size, bool apart) {
  const DeviceArray<Sphere> in_global_memory(spheres);
  checked("cudaMemcpyToSymbol", [&] {
    return cudaMemcpyToSymbol(constant_spheres, spheres.data(), in_global_memory.bytes());
  });
  const DeviceArray<float> picture(3 * static_cast<std::size_t>(size) *
                                   static_cast<std::size_t>(size));
  checked("cudaMemset", [&] { return cudaMemset(picture.get(), 0xff, picture.bytes()); });
  const auto blocks = static_cast<unsigned>((size + 15) / 16);
  const double ms = best_ms(5, [&] {
    render<in_constant_memory><<<dim3(blocks, blocks), dim3(16, 16)>>>(
        in_global_memory.get(), static_cast<int>(spheres.size()), size, apart,
        reinterpret_cast<Colour*>(picture.get()));
    check_launch("render");
  });
  return {picture.to_host(), ms};
}

// The largest difference, of the larger of two values.
double difference(const std::vector<float>& a, const std::vector<float>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double larger = std::max(std::fabs(a[i]), std::fabs(b[i]));
    // Written so that a NaN counts as different.
    if (!(a[i] == b[i])) most = std::max(most, larger > 0 ? std::fabs(a[i] - b[i]) / larger : 1.0);
  }
  return most;
}

int main(int argc, char** argv) {
  int count = 100, size = 1024, seed = 7;
  std::string out = "constant_raytrace.exr";
  Sample program("memory/constant_raytrace", "what constant memory is for: one address for a warp");
  program.option("spheres", count, "how many", 1, most_spheres)
      .option("size", size, "of the picture, in pixels", 16, 8192)
      .option("seed", seed, "of the random numbers", 0)
      .option("out", out, "the picture");
  return program.run(argc, argv, [&](Report& report) {
    const auto spheres = random_spheres(count, seed);
    const auto constant = render_on_card<true>(spheres, size, false);
    const auto global = render_on_card<false>(spheres, size, false);
    const auto constant_apart = render_on_card<true>(spheres, size, true);
    const auto global_apart = render_on_card<false>(spheres, size, true);
    Table table{text("%d spheres, %dx%d pixels", count, size, size),
                {"a warp reads", "constant ms", "global ms", "global / constant"}};
    table.row({"one sphere at a time", Cell(constant.ms, 3), Cell(global.ms, 3),
               Cell(global.ms / constant.ms, 2)});
    table.row({"a sphere per thread", Cell(constant_apart.ms, 3), Cell(global_apart.ms, 3),
               Cell(global_apart.ms / constant_apart.ms, 2)});
    report.show(table);
    write_rgb_float(out, size, size, constant.picture);
    report.wrote(out, text("the spheres, as bright as %.1f",
                           *std::max_element(constant.picture.begin(), constant.picture.end())));
    report.check(constant.has_bytes_of(global) && constant.has_bytes_of(constant_apart) &&
                     constant.has_bytes_of(global_apart),
                 "the four pictures are equal, byte for byte");
    const double most = difference(constant.picture, render_on_host(spheres, size));
    report.check(most <= 1e-5, text("the host's picture is within 1e-5 of a value: %.1e", most));
    report.say(
        text("The articles: constant memory answers half a warp, 16 threads, at once, and 16 "
             "different addresses take 16 times as long. Today it is a whole warp: different "
             "addresses make it %.1f times slower here, and global memory %.1f times.",
             constant_apart.ms / constant.ms, global_apart.ms / global.ms));
    report.headline(
        text("constant memory is %.2f times as fast as global memory for one address a "
             "warp, %.2f times for 32",
             global.ms / constant.ms, global_apart.ms / constant_apart.ms));
  });
}

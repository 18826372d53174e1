// SPDX-License-Identifier: Apache-2.0
// A hundred random spheres, seen from the front: the ray of each pixel tests every sphere. All
// threads of a warp read the same sphere at the same time, for which constant memory needs one
// access. If each thread reads another one, it needs one access after the other; global memory
// suffers less.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/card.h"
#include "common/picture.h"
#include "common/sample.h"
#include "memory/random_spheres.h"

using namespace cuimg;
using namespace cuimg::samples;

constexpr int most_spheres = 2048;  // 56 of the 64 KB of __constant__
__constant__ Sphere constant_spheres[most_spheres];

// @param apart whether the threads of a warp begin with different spheres.
template <bool in_constant_memory>
__global__ void render(const Sphere* global_spheres, int count, int size, bool apart,
                       Color* picture) {
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
        reinterpret_cast<Color*>(picture.get()));
    check_launch("render");
  });
  return {picture.to_host(), ms};
}

// The largest difference, relative to the larger of two values.
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

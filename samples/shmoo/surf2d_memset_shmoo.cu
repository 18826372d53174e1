// SPDX-License-Identifier: Apache-2.0
// Fills a 2D surface with floats, for every block shape from 4x4 to 64x64, compared with plain
// stores by the same kernel and with the driver's memset.
#include <algorithm>

#include "shmoo/sweep.h"
#include "texture/objects.h"

using namespace cuimg;
using namespace cuimg::samples;

struct BySurface {
  cudaSurfaceObject_t surface;
  __device__ void operator()(int x, int y, float value) const {
    surf2Dwrite(value, surface, x * static_cast<int>(sizeof(float)), y);
  }
};

struct ByPointer {
  float* first;
  int width;
  __device__ void operator()(int x, int y, float value) const {
    first[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
          static_cast<std::size_t>(x)] = value;
  }
};

template <class Target>
__global__ void fill(Target target, int width, int height, float value) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int top = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int down = static_cast<int>(gridDim.y * blockDim.y);
  if (x >= width) return;
  for (int y = top; y < height; y += down) target(x, y, value);
}

template <class Target>
void launch(const Target& target, int width, int height, const Launch& shape, float value) {
  fill<<<shape.grid, shape.block>>>(target, width, height, value);
  check_launch("fill");
}

// Whether every shape fills every texel. The size is not a multiple of any block.
bool all_fill() {
  constexpr int width = 257, height = 131;
  const ArrayHandle array = new_array<float>(width, height, cudaArraySurfaceLoadStore);
  const SurfaceHandle surface = new_surface(array);
  std::vector<float> values(static_cast<std::size_t>(width) * height);
  float value = 0;
  bool right_so_far = true;
  for_every_shape([&](int block_width, int block_height) {
    value += 1;  // new each time, so that results of the last shape are not counted
    launch(BySurface{surface.get()}, width, height,
           covering(width, height, 4, block_width, block_height), value);
    checked("cudaMemcpy2DFromArray", [&] {
      const std::size_t row_bytes = width * sizeof(float);
      return cudaMemcpy2DFromArray(values.data(), row_bytes, array.get(), 0, 0, row_bytes, height,
                                   cudaMemcpyDeviceToHost);
    });
    right_so_far = right_so_far && std::ranges::all_of(values, [&](float v) { return v == value; });
  });
  return right_so_far;
}

int main(int argc, char** argv) {
  int size = 8192, rows = 8;
  std::string out = "surf2d_memset_shmoo.svg";
  Sample program("shmoo/surf2d_memset_shmoo", "the block shape that fills a 2D surface fastest");
  program.option("size", size, "texels along each side", 64, 32768)
      .option("rows", rows, "texels a thread fills, one under the other", 1, 1024)
      .option("out", out, "the heat map");
  return program.run(argc, argv, [&](Report& report) {
    report.check(all_fill(), "every shape fills every texel");
    const double bytes = 4.0 * size * size;
    Best by_surface, by_pointer;
    {
      const ArrayHandle array = new_array<float>(size, size, cudaArraySurfaceLoadStore);
      const SurfaceHandle surface = new_surface(array);
      by_surface = sweep(report, "surface stores", out, bytes, [&](int width, int height) {
        launch(BySurface{surface.get()}, size, size, covering(size, size, rows, width, height), 1);
      });
    }
    const DeviceArray<float> memory(static_cast<std::size_t>(size) *
                                    static_cast<std::size_t>(size));
    for_every_shape([&](int width, int height) {
      const Launch shape = covering(size, size, rows, width, height);
      const ByPointer target{memory.get(), size};
      const double ms = best_ms(3, [&] { launch(target, size, size, shape, 1); });
      if (bytes / ms / 1e6 > by_pointer.gb_per_s) by_pointer = {width, height, bytes / ms / 1e6};
    });
    const double driver_ms = best_ms(3, [&] {
      checked("cudaMemsetAsync", [&] { return cudaMemsetAsync(memory.get(), 0, memory.bytes()); });
    });
    const double share = by_surface.gb_per_s / by_pointer.gb_per_s;
    report.say("best: blocks of " + by_surface.words());
    report.say("plain stores by the same kernel: blocks of " + by_pointer.words());
    report.say(text("the driver's memset: %.0f GB/s", bytes / driver_ms / 1e6));
    report.say(
        text("The book: 48 GB/s on a Tesla M2050 from 128 threads on, half of plain stores; "
             "here %.2f of them.",
             share));
    report.headline("blocks of " + by_surface.words() + text(", %.2f of plain stores", share));
  });
}

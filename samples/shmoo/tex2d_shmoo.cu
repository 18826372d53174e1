// SPDX-License-Identifier: Apache-2.0
// The speed of texture reads depends on the shape of the blocks. An array keeps neighbours in both
// directions close to each other, so a warp that covers a compact patch touches few cache lines.
// This measures every shape from 4x4 to 64x64, and compares it with plain loads by the same kernel.
#include "shmoo/sweep.h"
#include "texture/objects.h"

using namespace cuimg;
using namespace cuimg::samples;

struct ByTexture {
  cudaTextureObject_t texture;
  __device__ float operator()(int x, int y) const {
    return tex2D<float>(texture, static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
  }
};

struct ByPointer {
  const float* first;
  int width;
  __device__ float operator()(int x, int y) const {
    return first[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                 static_cast<std::size_t>(x)];
  }
};

// Each thread adds the texels of a column, with several reads in progress at a time. `sums` is null
// when we measure, so that nothing is written. The compiler cannot know that and keeps the reads.
template <class Source>
__global__ void add_texels(Source source, int width, int height, float* sums) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int top = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int down = static_cast<int>(gridDim.y * blockDim.y);
  float sum = 0;
  if (x < width) {
#pragma unroll 8
    for (int y = top; y < height; y += down) sum += source(x, y);
  }
  if (sums != nullptr) sums[top * static_cast<int>(gridDim.x * blockDim.x) + x] = sum;
}

template <class Source>
void launch(const Source& source, int width, int height, const Launch& shape, float* sums) {
  add_texels<<<shape.grid, shape.block>>>(source, width, height, sums);
  check_launch("add_texels");
}

// Small whole numbers: their sum is exact in any order.
std::vector<float> numbers(int width, int height) {
  std::vector<float> texels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<float>(i * 7 % 13);
  return texels;
}

// Whether every shape adds every texel exactly once. The size is not a multiple of any block.
bool all_add_up() {
  constexpr int width = 257, height = 131;
  const auto texels = numbers(width, height);
  double expected = 0;
  for (float texel : texels) expected += texel;
  const ArrayHandle array = array_of(texels, width, height);
  const TextureHandle texture = new_texture(in_array(array), Sampler{.filter = Filter::point});
  bool right_so_far = true;
  for_every_shape([&](int block_width, int block_height) {
    const Launch shape = covering(width, height, 4, block_width, block_height);
    const DeviceArray<float> sums(shape.threads());
    launch(ByTexture{texture.get()}, width, height, shape, sums.get());
    double sum = 0;
    for (float part : sums.to_host()) sum += part;
    right_so_far = right_so_far && sum == expected;
  });
  return right_so_far;
}

int main(int argc, char** argv) {
  int size = 8192, rows = 8;
  std::string out = "tex2d_shmoo.svg";
  Sample program("shmoo/tex2d_shmoo", "the block shape that reads a 2D texture fastest");
  program.option("size", size, "texels along each side", 64, 32768)
      .option("rows", rows, "texels a thread reads, one under the other", 1, 1024)
      .option("out", out, "the heat map");
  return program.run(argc, argv, [&](Report& report) {
    report.check(all_add_up(), "every shape reads every texel once");
    const auto texels = numbers(size, size);
    const double bytes = 4.0 * size * size;
    Best by_texture, by_pointer;
    {
      const ArrayHandle array = array_of(texels, size, size);
      const TextureHandle texture = new_texture(in_array(array), Sampler{.filter = Filter::point});
      by_texture = sweep(report, "texture reads", out, bytes, [&](int width, int height) {
        launch(ByTexture{texture.get()}, size, size, covering(size, size, rows, width, height),
               nullptr);
      });
    }
    const DeviceArray<float> memory(texels);
    for_every_shape([&](int width, int height) {
      const Launch shape = covering(size, size, rows, width, height);
      const ByPointer source{memory.get(), size};
      const double ms = best_ms(3, [&] { launch(source, size, size, shape, nullptr); });
      if (bytes / ms / 1e6 > by_pointer.gb_per_s) by_pointer = {width, height, bytes / ms / 1e6};
    });
    const double share = by_texture.gb_per_s / by_pointer.gb_per_s;
    report.say("best: blocks of " + by_texture.words());
    report.say("plain loads by the same kernel: blocks of " + by_pointer.words());
    report.say(
        text("The book: 35.7 GB/s on a GTX 280 (32x4, 16x8, 8x16) and 35.4 on a Tesla M2050, "
             "a quarter of plain loads; here %.2f of them.",
             share));
    report.headline("blocks of " + by_texture.words() + text(", %.2f of plain loads", share));
  });
}

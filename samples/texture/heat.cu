// SPDX-License-Identifier: Apache-2.0
// Heat spreads over a plate with a few sources that stay as hot as they are. Each step reads a cell
// and its four neighbours: by number through a 1D texture, where the edges need care, or by x and y
// through a 2D texture, which clamps by itself. Both give the same plate, to the bit.
#include <algorithm>
#include <cmath>

#include "common/picture.h"
#include "common/sample.h"
#include "kernels/texture_unit.h"
#ifdef __CUDACC__
#include "texture/objects.h"
#endif

using namespace cuimg;
using namespace cuimg::samples;

constexpr float speed = 0.25f;  // the most with which the steps do not swing

// A plate's cells, row after row; in a source's plate 0 means none there.
using Plate = std::vector<float>;

Plate sources(int size) {
  Plate plate(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
  const auto fill = [&](int x, int y, int width, int height, float heat) {
    for (int j = y * size / 64; j < (y + height) * size / 64; ++j)
      for (int i = x * size / 64; i < (x + width) * size / 64; ++i)
        plate[static_cast<std::size_t>(j * size + i)] = heat;
  };
  fill(10, 8, 4, 40, 1.0f);
  fill(30, 26, 14, 6, 0.8f);
  fill(46, 46, 10, 10, 0.02f);
  fill(50, 6, 3, 3, 1.0f);
  return plate;
}

CUIMG_HD float spread(float source, float here, float left, float right, float above, float below) {
  if (source != 0) return source;
  return here + speed * (above + below + right + left - 4 * here);
}

// The cell of a neighbour, or the cell itself beyond the edge.
CUIMG_HD int neighbour(int x, int y, int dx, int dy, int size) {
  const bool inside = x + dx >= 0 && x + dx < size && y + dy >= 0 && y + dy < size;
  return inside ? (y + dy) * size + x + dx : y * size + x;
}

// A texture's texel x, y has its centre at a half.
Plate step_on_cpu(const Plate& plate, const Plate& source, int size, bool by_2d) {
  const auto pitch = static_cast<std::size_t>(size) * sizeof(float);
  const Texture1D<float, 1> line{plate.data(), size * size};
  const Texture2D<float, 1> texture{plate.data(), pitch, size, size};
  const Sampler point{.filter = Filter::point};
  Plate next(plate.size());
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const auto at = [&](int dx, int dy) {
        if (!by_2d) return line.texel(neighbour(x, y, dx, dy, size)).v[0];
        return sample(texture, point, static_cast<float>(x + dx) + 0.5f,
                      static_cast<float>(y + dy) + 0.5f)
            .v[0];
      };
      const auto i = static_cast<std::size_t>(y * size + x);
      next[i] = spread(source[i], at(0, 0), at(-1, 0), at(1, 0), at(0, -1), at(0, 1));
    }
  return next;
}

std::vector<Plate> simulate_on_cpu(int size, int steps, int frames, bool by_2d) {
  const Plate source = sources(size);
  Plate plate = source;
  std::vector<Plate> kept = {plate};
  for (int step = 1; step <= steps; ++step) {
    plate = step_on_cpu(plate, source, size, by_2d);
    if (step % (steps / (frames - 1)) == 0) kept.push_back(plate);
  }
  return kept;
}

std::vector<Plate> simulate_on_card(int size, int steps, int frames, bool by_2d);

#ifdef __CUDACC__
template <bool by_2d>
__global__ void make_step(cudaTextureObject_t plate, cudaTextureObject_t source, int size,
                          float* next) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= size || y >= size) return;
  // A texel's centre lies at a half.
  const auto read = [&](cudaTextureObject_t texture, int dx, int dy) {
    if constexpr (by_2d)
      return tex2D<float>(texture, static_cast<float>(x + dx) + 0.5f,
                          static_cast<float>(y + dy) + 0.5f);
    else
      return tex1Dfetch<float>(texture, neighbour(x, y, dx, dy, size));
  };
  next[y * size + x] = spread(read(source, 0, 0), read(plate, 0, 0), read(plate, -1, 0),
                              read(plate, 1, 0), read(plate, 0, -1), read(plate, 0, 1));
}

std::vector<Plate> simulate_on_card(int size, int steps, int frames, bool by_2d) {
  const auto cells = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
  const DeviceArray<float> source(sources(size)), even(sources(size)), odd(cells);
  const auto texture_of = [&](const DeviceArray<float>& plate) {
    const auto pitch = static_cast<std::size_t>(size) * sizeof(float);
    return new_texture(
        by_2d ? in_rows(plate.get(), pitch, size, size) : in_memory(plate.get(), cells),
        Sampler{.filter = Filter::point});
  };
  const TextureHandle source_texture = texture_of(source), even_texture = texture_of(even),
                      odd_texture = texture_of(odd);
  const dim3 block(32, 8);
  const auto columns = static_cast<unsigned>(size);
  const dim3 grid((columns + 31) / 32, (columns + 7) / 8);
  std::vector<Plate> kept = {even.to_host()};
  for (int step = 1; step <= steps; ++step) {
    // What a kernel writes, only the next one reads through a texture: within one, the texture's
    // cache need not see it.
    const bool to_odd = step % 2 == 1;
    const auto kernel = by_2d ? make_step<true> : make_step<false>;
    kernel<<<grid, block>>>((to_odd ? even_texture : odd_texture).get(), source_texture.get(), size,
                            (to_odd ? odd : even).get());
    check_launch("make_step");
    if (step % (steps / (frames - 1)) == 0) kept.push_back((to_odd ? odd : even).to_host());
  }
  return kept;
}
#endif

std::vector<Plate> simulate(bool on_card, int size, int steps, int frames, bool by_2d) {
  if constexpr (build::has_cuda)
    if (on_card) return simulate_on_card(size, steps, frames, by_2d);
  return simulate_on_cpu(size, steps, frames, by_2d);
}

int main(int argc, char** argv) {
  int size = 128, steps = 1000, frames = 6;
  std::string out = "heat.png";
  Sample program("texture/heat", "heat diffusion through 1D fetches and through a 2D texture",
                 Runs::on_card_or_cpu);
  program.option("size", size, "cells along each side; a multiple of 64", 64, 2048)
      .option("steps", steps, "in all", 5, 100000)
      .option("frames", frames, "to draw", 2, 60)
      .option("out", out, "the frames, side by side");
  return program.run(argc, argv, [&](Report& report) {
    if (size % 64 != 0 || steps % (frames - 1) != 0)
      throw Error("heat", "--size is a multiple of 64, --steps one of --frames less one");
    const auto by_1d = simulate(report.on_card(), size, steps, frames, false);
    const auto by_2d = simulate(report.on_card(), size, steps, frames, true);
    const auto emulated = simulate_on_cpu(size, steps, frames, false);
    Table table{"", {"step", "coldest", "hottest"}};
    Sheet sheet(3, size, size);
    for (std::size_t i = 0; i < by_2d.size(); ++i) {
      const Plate& plate = by_2d[i];
      sheet.add(plate.data());
      const auto [coldest, hottest] = std::minmax_element(plate.begin(), plate.end());
      table.row(
          {static_cast<int>(i) * (steps / (frames - 1)), Cell(*coldest, 4), Cell(*hottest, 4)});
    }
    sheet.write(out);
    report.show(table);
    report.wrote(out, "the plate as it warms");
    report.check(by_1d == by_2d, "both textures lead to the same plate, to the bit");
    report.check_on_card(by_1d == emulated, "and so do plain reads on the CPU");
    report.headline(text("%d steps by 1D fetches and by 2D reads: the same bits", steps));
  });
}

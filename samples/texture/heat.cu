// SPDX-License-Identifier: Apache-2.0
// Heat spreads over a plate with a few sources of constant temperature. Each step reads a cell and
// its four neighbours: by index through a 1D texture, where the code handles the edges, or by x and
// y through a 2D texture, which clamps automatically. Both give the same bits.
#include <algorithm>
#include <cmath>

#include "common/picture.h"
#include "common/sample.h"
#include "kernels/texture/texture_unit.h"
#include "texture/plate.h"
#ifdef __CUDACC__
#include "texture/objects.h"
#endif

using namespace cuimg;
using namespace cuimg::samples;

// The share of the difference from its four neighbours that a cell adopts in a step. A quarter is
// the limit of stability: the cell becomes the mean of the four. With more, cells would overshoot
// and the values would oscillate ever further.
constexpr float speed = 0.25f;

CUIMG_HD float spread(float source, float here, float left, float right, float above, float below) {
  if (source != 0) return source;
  return here + speed * (above + below + right + left - 4 * here);
}

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
        return sample(texture, point, centre(x + dx), centre(y + dy)).v[0];
      };
      const auto i = static_cast<std::size_t>(y * size + x);
      next[i] = spread(source[i], at(0, 0), at(-1, 0), at(1, 0), at(0, -1), at(0, 1));
    }
  return next;
}

// @param stride steps between two plates that are kept.
std::vector<Plate> simulate_on_cpu(int size, int steps, int stride, bool by_2d) {
  const Plate source = sources(size);
  Plate plate = source;
  std::vector<Plate> kept = {plate};
  for (int step = 1; step <= steps; ++step) {
    plate = step_on_cpu(plate, source, size, by_2d);
    if (step % stride == 0) kept.push_back(plate);
  }
  return kept;
}

std::vector<Plate> simulate_on_card(int size, int steps, int stride, bool by_2d);

#ifdef __CUDACC__
template <bool by_2d>
__global__ void make_step(cudaTextureObject_t plate, cudaTextureObject_t source, int size,
                          float* next) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= size || y >= size) return;
  const auto read = [&](cudaTextureObject_t texture, int dx, int dy) {
    if constexpr (by_2d)
      return tex2D<float>(texture, centre(x + dx), centre(y + dy));
    else
      return tex1Dfetch<float>(texture, neighbour(x, y, dx, dy, size));
  };
  next[y * size + x] = spread(read(source, 0, 0), read(plate, 0, 0), read(plate, -1, 0),
                              read(plate, 1, 0), read(plate, 0, -1), read(plate, 0, 1));
}

std::vector<Plate> simulate_on_card(int size, int steps, int stride, bool by_2d) {
  const auto side = static_cast<unsigned>(size);
  const std::size_t pitch = side * sizeof(float), cells = std::size_t{side} * side;
  const DeviceArray<float> source(sources(size)), even(sources(size)), odd(cells);
  const auto texture_of = [&](const DeviceArray<float>& plate) {
    return new_texture(
        by_2d ? in_rows(plate.get(), pitch, size, size) : in_memory(plate.get(), cells),
        Sampler{.filter = Filter::point});
  };
  const TextureHandle source_texture = texture_of(source), even_texture = texture_of(even),
                      odd_texture = texture_of(odd);
  const dim3 block(32, 8), grid((side + 31) / 32, (side + 7) / 8);
  std::vector<Plate> kept = {even.to_host()};
  for (int step = 1; step <= steps; ++step) {
    // A kernel's output is read through a texture only by the next kernel, since texture caches
    // need not see writes of their own kernel.
    const bool to_odd = step % 2 == 1;
    const auto kernel = by_2d ? make_step<true> : make_step<false>;
    kernel<<<grid, block>>>((to_odd ? even_texture : odd_texture).get(), source_texture.get(), size,
                            (to_odd ? odd : even).get());
    check_launch("make_step");
    if (step % stride == 0) kept.push_back((to_odd ? odd : even).to_host());
  }
  return kept;
}
#endif

std::vector<Plate> simulate(bool on_card, int size, int steps, int stride, bool by_2d) {
  if constexpr (build::has_cuda)
    if (on_card) return simulate_on_card(size, steps, stride, by_2d);
  return simulate_on_cpu(size, steps, stride, by_2d);
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
    if (size % 64 != 0)
      throw Error("texture/heat", text("--size %d is no multiple of 64", size), "use 64, 128, ...");
    const int between = frames - 1;  // the first frame is drawn before the first step
    if (steps % between != 0)
      throw Error("texture/heat",
                  text("--steps %d cannot be divided evenly between %d frames", steps, frames),
                  text("use a multiple of %d, one less than --frames", between));
    const int stride = steps / between;
    const auto by_1d = simulate(report.on_card(), size, steps, stride, false);
    const auto by_2d = simulate(report.on_card(), size, steps, stride, true);
    const auto emulated = simulate_on_cpu(size, steps, stride, false);
    Table table{"", {"step", "coldest", "hottest"}};
    Sheet sheet(3, size, size);
    int differ = 0;
    for (std::size_t i = 0; i < by_2d.size(); ++i) {
      const Plate& plate = by_2d[i];
      sheet.add(plate.data());
      const auto [coldest, hottest] = std::minmax_element(plate.begin(), plate.end());
      table.row({static_cast<int>(i) * stride, Cell(*coldest, 4), Cell(*hottest, 4)});
      for (std::size_t c = 0; c < plate.size(); ++c) differ += by_1d[i][c] != plate[c];
    }
    sheet.write(out);
    report.show(table);
    report.wrote(out, "the plate as it warms");
    report.check(differ == 0, "both textures lead to the same plate, to the bit");
    report.check_on_card(by_1d == emulated, "and so do plain reads on the CPU");
    report.headline(text("%d steps by 1D fetches and by 2D reads: %d cells of %zu frames differ",
                         steps, differ, by_2d.size()));
  });
}

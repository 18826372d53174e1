// SPDX-License-Identifier: Apache-2.0
// The picture into which blocks paint a disc's squares, and its evaluation on the host. For nvcc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/picture.h"
#include "execution/disc.h"

namespace cuimg::samples {

constexpr unsigned threads = 256;
constexpr std::uint8_t unpainted = 255;  // no square's level

/// The kernels' data. A pixel contains its square's level, plus 128 inside the disc.
struct Picture {
  int side;
  std::uint8_t* pixels;
  Square* to_cut[2];            // of this level and the next, alternately
  unsigned* counts;             // the number to be cut on each level
  unsigned long long* painted;  // pixels inside
  unsigned* failures;           // launches refused
};

/// One block: paints the square unless it must be cut. @returns whether it must.
__device__ inline bool paint(const Square& square, const Picture& picture) {
  const Where where = place_of(square, picture.side);
  if (where == Where::on_the_edge && square.side > least) return true;
  for (int i = static_cast<int>(threadIdx.x); i < square.side * square.side; i += threads) {
    const int x = square.x + i % square.side, y = square.y + i / square.side;
    const bool inside =
        where == Where::inside || (where == Where::on_the_edge && is_inside(x, y, picture.side));
    picture.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.side) +
                   static_cast<std::size_t>(x)] =
        static_cast<std::uint8_t>(square.level + (inside ? 128 : 0));
  }
  return false;
}

inline __global__ void count_pixels(Picture picture) {
  const std::size_t i = blockIdx.x * std::size_t{1024} + threadIdx.x;
  const bool inside = picture.pixels[i] >= 128;
  const int count = __syncthreads_count(inside);
  if (threadIdx.x == 0) atomicAdd(picture.painted, static_cast<unsigned long long>(count));
}
__host__ __device__ inline unsigned blocks_to_count(const Picture& picture) {
  return static_cast<unsigned>(picture.side) * static_cast<unsigned>(picture.side) / 1024;
}

/// Whether every pixel is painted, and marked as inside exactly where the disc is.
inline bool shows_the_disc(const std::vector<std::uint8_t>& pixels, int side) {
  bool right = true;
  std::size_t i = 0;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x, ++i)
      right = right && (pixels[i] >= 128) == is_inside(x, y, side) && pixels[i] != unpainted;
  return right;
}

inline std::size_t pixels_inside(int side) {
  std::size_t inside = 0;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) inside += is_inside(x, y, side);
  return inside;
}

/// Smaller squares, and those in the disc, are lighter. @throws Error.
inline void write_squares(const std::string& path, const std::vector<std::uint8_t>& pixels,
                          int side, int levels) {
  std::vector<float> shades;
  for (std::uint8_t pixel : pixels)
    shades.push_back(static_cast<float>(pixel % 128) / static_cast<float>(2 * levels) +
                     (pixel >= 128 ? 0.5f : 0.0f));
  Sheet sheet(1, side, side);
  sheet.add(shades.data());
  sheet.write(path);
}

}  // namespace cuimg::samples

// SPDX-License-Identifier: Apache-2.0
// Envmap's launches. Texels are loaded from rows, since what lies across a seam is no neighbour in
// a texture, and weighed in shared arithmetic.
#include <cstddef>
#include <cstdint>

#include "device/cuda/cuda_rows.cuh"
#include "device/cuda/cuda_words.cuh"
#include "kernels/math/dispatch.h"
#include "kernels/warp/env_pixel.h"
#include "stages/geometry/envmap.h"

namespace cuimg {
namespace {

// A block's pixels and their neighbours are found once. A warp makes pixels of a row, a thread one
// column of them.
struct PlaceTile {
  static constexpr int width = 32, height = 16, threads = 256, step = threads / width;
  static constexpr int places_across = width + 2, places = places_across * (height + 2);
};

// A bit for each pixel, the blocks' columns side by side in words of a warp.
using PixelBits = CudaRows<std::uint32_t, 1>;

template <int N>
__device__ auto rows_of(const CudaRows<float, N>& source) {
  return [&source](int x, int y) {
    return [from = source.row(y)[x].v](int i) { return load<N>(from + std::ptrdiff_t{N} * i); };
  };
}

// Pixels that the picture passes evenly. Others take many reads, and code whose registers these
// should not carry: they are left to uneven_kernel.
template <int N>
__global__ void __launch_bounds__(PlaceTile::threads)
    even_kernel(EnvmapPlan plan, CudaRows<float, N> source, PixelTarget<N> target, Rect region,
                PixelBits left_over) {
  __shared__ EnvPosition places[PlaceTile::places];
  __shared__ std::int8_t faces[PlaceTile::places];
  const int left = region.x + static_cast<int>(blockIdx.x) * PlaceTile::width;
  const int top = region.y + static_cast<int>(blockIdx.y) * PlaceTile::height;
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < PlaceTile::places; i += PlaceTile::threads) {
    const EnvPixel pixel = env_pixel_at(plan.to, left - 1 + i % PlaceTile::places_across,
                                        top - 1 + i / PlaceTile::places_across);
    faces[i] = static_cast<std::int8_t>(pixel.face);
    places[i] = env_place(plan.to, plan.from, pixel);
  }
  __syncthreads();
  const int column = thread % PlaceTile::width, x = left + column;
  for (int row = thread / PlaceTile::width; row < PlaceTile::height; row += PlaceTile::step) {
    const int y = top + row;
    if (y >= region.bottom()) break;
    bool is_left_over = false;
    if (x < region.right()) {
      const int middle = (row + 1) * PlaceTile::places_across + column + 1;
      const auto known = [&](int dx, int dy) -> const EnvPosition& {
        return places[middle + dy * PlaceTile::places_across + dx];
      };
      const EnvPixel pixel = env_pixel_on(plan.to, faces[middle], x, y);
      Pixel<N> seen = {};
      if (pixel.face >= 0 && !plan.antialias)
        seen = env_pixel_in<N>(plan.from, known(0, 0), rows_of(source));
      else if (pixel.face >= 0)
        is_left_over = !env_pixel_even<N>(plan.to, plan.from, pixel, known, rows_of(source), seen);
      if (!is_left_over) target.store_streaming(x, y, seen);
    }
    const unsigned bits = __ballot_sync(0xffffffffu, is_left_over);
    if (column == 0) left_over.row(y - region.y)[blockIdx.x].v[0] = bits;
  }
}

template <int N>
__global__ void __launch_bounds__(PlaceTile::threads)
    uneven_kernel(EnvmapPlan plan, CudaRows<float, N> source, PixelTarget<N> target, Rect region,
                  PixelBits left_over) {
  const int column = static_cast<int>(threadIdx.x) % PlaceTile::width;
  const int x = region.x + static_cast<int>(blockIdx.x) * PlaceTile::width + column;
  const int top = static_cast<int>(blockIdx.y) * PlaceTile::height;
  for (int row = static_cast<int>(threadIdx.x) / PlaceTile::width; row < PlaceTile::height;
       row += PlaceTile::step) {
    if (top + row >= region.height) return;
    if ((left_over.row(top + row)[blockIdx.x].v[0] >> column & 1u) == 0) continue;
    const int y = region.y + top + row;
    const EnvPixel pixel = env_pixel_at(plan.to, x, y);
    const EnvPosition middle = env_place(plan.to, plan.from, pixel);
    target.store_streaming(x, y,
                           env_pixel_uneven<N>(plan.to, plan.from, pixel, middle, rows_of(source)));
  }
}

struct NearestId {
  EnvmapPlan plan;
  ByteRows source;
  __device__ TexelWords operator()(int x, int y) const {
    EnvTexel texel;
    return env_nearest_pixel(plan.to, plan.from, x, y, texel) ? source.words(texel.x, texel.y)
                                                              : TexelWords{};
  }
};

template <int N>
void map_layer(CudaQueue& card, const EnvmapPlan& plan, const Frame& source, const Frame& target) {
  const Rect& r = target.region();
  if (r.empty()) return;
  CudaRows<float, N> rows = source.card().rows_view<float, N>();
  rows.left = rows.top = 0;
  const PixelTarget<N> pixels = target.card().pixel_target<N>();
  const dim3 grid = blocks_for(r.width, r.height, dim3(PlaceTile::width, PlaceTile::height));
  const FrameFormat format = {
      {0, 0, static_cast<int>(grid.x), r.height}, PixelType::u32, 1, Storage::pitched};
  const Frame bits = Frame::on_card(format, card.allocate(format));
  const PixelBits left_over = bits.card().rows_view<std::uint32_t, 1>();
  even_kernel<N><<<grid, PlaceTile::threads, 0, card.stream()>>>(plan, rows, pixels, r, left_over);
  check_launch("envmap");
  if (!plan.antialias) return;
  uneven_kernel<N>
      <<<grid, PlaceTile::threads, 0, card.stream()>>>(plan, rows, pixels, r, left_over);
  check_launch("envmap_uneven");
}

}  // namespace

void map_environment_on_cuda(const Queue& queue, const EnvmapPlan& plan, const Frame& source,
                             const Frame& target) {
  CudaQueue& card = queue.card();
  if (target.format().type == PixelType::u32)
    return make_texels(card, "envmap_ids", NearestId{plan, ByteRows(source)}, target);
  with_stored_channels(target.format().stored_channels(),
                       [&](auto n) { map_layer<n()>(card, plan, source, target); });
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The launches of envmap. Texels are loaded from rows, since neighbours across a seam are not
// neighbours in a texture, and weighted by the shared arithmetic.
#include <cstddef>
#include <cstdint>

#include "device/cuda/cuda_rows.cuh"
#include "device/cuda/cuda_words.cuh"
#include "kernels/math/dispatch.h"
#include "kernels/warp/env_pixel.h"
#include "stages/geometry/envmap.h"

namespace cuimg {
namespace {

// Positions of a block's pixels and their neighbours, computed once.
struct PlaceTile {
  static constexpr int width = 32, height = 8, threads = width * height;
  static constexpr int places_across = width + 2, places = places_across * (height + 2);
};

template <int N>
__global__ void __launch_bounds__(PlaceTile::threads, 4)
    envmap_kernel(EnvmapPlan plan, CudaRows<float, N> source, PixelTarget<N> target, Rect region) {
  __shared__ EnvPosition places[PlaceTile::places];
  __shared__ std::int8_t faces[PlaceTile::places];
  const int left = region.x + static_cast<int>(blockIdx.x) * PlaceTile::width;
  const int top = region.y + static_cast<int>(blockIdx.y) * PlaceTile::height;
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < PlaceTile::places; i += PlaceTile::threads) {
    const EnvPixel pixel = env_pixel_at(plan.to.layout, left - 1 + i % PlaceTile::places_across,
                                        top - 1 + i / PlaceTile::places_across);
    faces[i] = static_cast<std::int8_t>(pixel.face);
    places[i] = env_place(plan.to, plan.from, pixel);
  }
  __syncthreads();
  const int column = thread % PlaceTile::width, row = thread / PlaceTile::width;
  const int x = left + column, y = top + row;
  if (x >= region.right() || y >= region.bottom()) return;
  const int middle = (row + 1) * PlaceTile::places_across + column + 1;
  const auto known = [&](int dx, int dy) -> const EnvPosition& {
    return places[middle + dy * PlaceTile::places_across + dx];
  };
  const auto row_at = [&](int u, int v) {
    return [from = source.row(v)[u].v](int i) { return load<N>(from + std::ptrdiff_t{N} * i); };
  };
  const EnvPixel pixel = env_pixel_on(plan.to.layout, faces[middle], x, y);
  Pixel<N> seen = {};
  if (pixel.face >= 0 && !plan.antialias)
    seen = env_pixel_in<N>(plan.from, known(0, 0), row_at);
  else if (pixel.face >= 0 && !env_pixel_even<N>(plan.to, plan.from, pixel, known, row_at, seen))
    seen = env_pixel_uneven<N>(plan.to, plan.from, pixel, known(0, 0), row_at);
  target.store_streaming(x, y, seen);
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
  const dim3 grid = blocks_for(r.width, r.height, dim3(PlaceTile::width, PlaceTile::height));
  envmap_kernel<N><<<grid, PlaceTile::threads, 0, card.stream()>>>(
      plan, rows, target.card().pixel_target<N>(), r);
  check_launch("envmap");
}

}  // namespace

void map_environment_on_cuda(const Queue& queue, const EnvmapPlan& plan, const Frame& source,
                             const Frame& target) {
  CudaQueue& card = queue.card();
  if (target.format().type == PixelType::u32)
    return make_texels(card, "envmap_ids", NearestId{plan, ByteRows(source)}, target);
  if (plan.last_level > 0) return map_levels_on_cuda(queue, plan, source, target);
  with_stored_channels(target.format().stored_channels(),
                       [&](auto n) { map_layer<n()>(card, plan, source, target); });
}

}  // namespace cuimg

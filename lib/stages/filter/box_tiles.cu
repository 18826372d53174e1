// SPDX-License-Identifier: Apache-2.0
// Means of small boxes of narrow pixels: conversions, columns and rows in one
// pass.
#include "stages/filter/box_tiles.h"

#include "image/dispatch.h"
#include "kernels/stencil/box_mean.h"
#include "stages/window/light_tiles.cuh"
#include "stages/window/narrow_tiles.cuh"

namespace cuimg {
namespace detail {
namespace {

template <class T>
struct BoxMemory {
  LightTile light;
  RowPlaces row_at;
  LightTables<T> tables;
};

template <class T>
__global__ void __launch_bounds__(tile_threads, 4)
    box_tiles(TilePass<T> p, LightForms forms, MeanFold across, MeanFold down) {
  __shared__ BoxMemory<T> memory;
  ready_tables(forms, memory.tables);
  place_rows(p, memory.row_at);
  __syncthreads();
  const int wide = tile_values<4>(p.rx), width = 2 * p.ry + 1;
  const int first = static_cast<int>(blockIdx.x) * wide;
  const QuadColumn<T, 4> column(p, first - p.rx * 4 + 4 * static_cast<int>(threadIdx.x));
  const int quads = min(wide / 4, p.target.width - first / 4);
#pragma unroll 1
  for (int tile = 0; tile < tiles_down; ++tile) {
    const int top = (static_cast<int>(blockIdx.y) * tiles_down + tile) * tile_rows;
    const int height = p.target.height - top;
    if (height <= 0) return;
    Quad<T> rows[most_rows];
    column.load(memory.row_at + tile * tile_rows, tile_rows + width - 1, rows);
    fold_light_down<T>(down, forms.source, width, rows, memory.light);
    __syncthreads();
    for_items(height, quads, [&](int row, int quad) {
      finish_light<T>(across, p, forms, memory.light, row, quad, first / 4 + quad, top + row);
    });
    __syncthreads();
  }
}

}  // namespace
}  // namespace detail

bool box_in_tiles(CudaQueue& card, const BoxPlan& plan, const Frame& source, const Frame& target) {
  using namespace detail;
  if (source.stored_form() == nullptr || source.format().stored_channels() != 4 ||
      !suits_tiles(plan.across.radius, plan.down.radius, target))
    return false;
  with_texel_type(source.as_stored().format().type, [&](auto stored) {
    using T = typename decltype(stored)::type;
    if constexpr (!std::is_same_v<T, float>)
      box_tiles<T><<<tile_blocks<4>(plan.across.radius, target), tile_threads, 0, card.stream()>>>(
          tile_pass<T>(plan.surround, plan.across.radius, plan.down.radius, source, target),
          light_forms(card, source, target), mean_of(plan.across), mean_of(plan.down));
  });
  check_launch("box_tiles");
  return true;
}

}  // namespace cuimg

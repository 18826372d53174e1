// SPDX-License-Identifier: Apache-2.0
// Both passes of a weighed resize in one kernel. A block weighs the rows of a strip of columns,
// writes the results to shared memory, and weighs their columns from there. So the source is read
// about once, and the target is written once. If a filter is wider than a block, the passes run one
// after the other.
#include <algorithm>

#include "device/cuda/cuda_words.cuh"
#include "kernels/math/dispatch.h"
#include "kernels/stencil/resample.h"
#include "stages/pass/stored_pixels.cuh"
#include "stages/resample/cuda_tap_sums.cuh"
#include "stages/resample/resize_tiles.cuh"

namespace cuimg {
namespace {

// Blocks on a multiprocessor. Threads have 64 registers, or 128 if sums include their range.
template <class Sum>
constexpr int tiles_resident = sizeof(Sum) > 16 ? 4 : 8;

struct TileTables {
  const Tile* tiles;
  const RowGroup* groups;
  /// For each source row of each group: which of the group's target rows it reaches, and its
  /// weight in each.
  const unsigned* row_masks;
  const float* row_weights;
  const int* column_start;  ///< This and the following tables have an entry for each target column.
  const int* column_taps;
  const float* column_weights;  ///< Weight k of all columns, then weight k + 1.
  int columns, first_column;
  bool mixes_rows, mixes_columns;
};

template <int R>
struct alignas(R * sizeof(float) < 16 ? R * sizeof(float) : 16) RowWeights {
  float of[R];
};

// The sums over rows for one source column. Texels are loaded well before they are added, because
// memory is slow.
template <int N, int R, class Sum, class Source>
__device__ void mix_column_of_rows(const Source& source, int x, const RowGroup& group,
                                   const TileTables& t, Sum (&sums)[R]) {
  constexpr int ahead = 4;
  const unsigned* masks = t.row_masks + group.first_weight;
  const auto* weights = reinterpret_cast<const RowWeights<R>*>(t.row_weights) + group.first_weight;
  const auto add = [&](int y, const Pixel<N>& texel) {
    const unsigned reached = __ldg(masks + (y - group.low));
    const RowWeights<R> weight = weights[y - group.low];
#pragma unroll
    for (int r = 0; r < R; ++r)
      if (reached >> r & 1) sums[r].add(weight.of[r], texel);
  };
  int y = group.low;
  for (; y + ahead <= group.high; y += ahead) {
    Pixel<N> texels[ahead];
    load_column(
        source, x, [&](int i) { return y + i; }, texels);
#pragma unroll
    for (int i = 0; i < ahead; ++i) add(y + i, texels[i]);
  }
  for (; y < group.high; ++y) add(y, load(source, x, y));
}

// Stores pixels of a column, except those at or beyond `right` and `bottom`.
template <int N, class Memory, int count>
__device__ void store_column(const PixelTarget<N, Memory>& target, int x, int y,
                             const Pixel<N> (&pixels)[count], int right, int bottom) {
#pragma unroll
  for (int r = 0; r < count; r += 2)
    target.store_pair(x, y + r, pixels[r], pixels[r + 1], right, bottom);
}
template <int N, FormKind kind, int count>
__device__ void store_column(const FormTarget<N, kind>& target, int x, int y,
                             Pixel<N> (&pixels)[count], int right, int bottom) {
  target.store_column(x, y, pixels, right, bottom);
}

// The index of a column in MixedColumns: even columns, then odd ones. If a picture is halved,
// neighbouring target columns read every second column, and these are in different banks. The four
// texels between the halves put neighbouring columns in different banks too.
constexpr int odd_columns = tile_columns / 2 + 4;
__device__ int slot(int column) { return (column >> 1) + (column & 1) * odd_columns; }

template <int N, int R>
using MixedColumns = Pixel<N>[R][2 * odd_columns];

// Computes a group of target rows in a tile's columns.
template <int N, int R, class Sum, class Source, class Target>
__device__ void weigh_group(const Source& source, const Target& target, const TileTables& t,
                            const Tile& tile, const RowGroup& group, MixedColumns<N, R>& mixed) {
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < tile.span) {
    const int x = tile.left + thread;
    if (t.mixes_rows) {
      Sum sums[R];
      mix_column_of_rows<N, R>(source, x, group, t, sums);
#pragma unroll
      for (int r = 0; r < R; ++r) mixed[r][slot(thread)] = sums[r].result();
    } else {
      for (int r = 0; r < group.count; ++r)
        mixed[r][slot(thread)] = load(source, x, group.begin + r);
    }
  }
  __syncthreads();

  // A thread computes a few rows of one target column, for which it loads each weight once. For an
  // array half of a warp makes even rows and the other half odd ones, so that each store of the
  // warp fills sectors, which contain two rows.
  constexpr bool squares = is_in_array<Target>;
  constexpr int rows_each = squares ? R / 2 : R < 4 ? R : 4, row_step = squares ? 2 : 1;
  const int outputs = tile.end - tile.begin;
  const int lanes = squares ? (outputs + 15) / 16 * 32 : (outputs + 31) / 32 * 32;
  const int items = squares ? lanes : lanes * (R / rows_each);
  for (int item = thread; item < items; item += tile_columns) {
    // Whole warps store together, so threads after the end compute the last column again.
    const int share = squares ? item >> 4 & 1 : item / lanes;
    const int column = squares ? (item >> 5) * 16 + (item & 15) : item - share * lanes;
    const int x = tile.begin + min(column, outputs - 1), index = x - t.first_column,
              row = squares ? share : share * rows_each;
    Pixel<N> results[rows_each];
    if (t.mixes_columns) {
      const int start = __ldg(t.column_start + index) - tile.left;
      const int taps = __ldg(t.column_taps + index);
      const float* weights = t.column_weights + index;
      Sum sums[rows_each];
      for (int k = 0; k < taps; ++k, weights += t.columns) {
        const float weight = __ldg(weights);
        const int at = slot(start + k);
#pragma unroll
        for (int r = 0; r < rows_each; ++r) sums[r].add(weight, mixed[row + r * row_step][at]);
      }
#pragma unroll
      for (int r = 0; r < rows_each; ++r) results[r] = sums[r].result();
    } else {
#pragma unroll
      for (int r = 0; r < rows_each; ++r)
        results[r] = mixed[row + r * row_step][slot(x - tile.left)];
    }
    if constexpr (squares) {
#pragma unroll
      for (int r = 0; r < rows_each; ++r)
        if (column < outputs && row + 2 * r < group.count)
          target.store_streaming(x, group.begin + row + 2 * r, results[r]);
    } else {
      store_column(target, tile.begin + column, group.begin + row, results, tile.end,
                   group.begin + group.count);
    }
  }
}

// A block computes one group or several, a grid's height apart, and copies its tables once.
template <int N, int R, class Sum, class Source, class Target>
__global__ void __launch_bounds__(tile_columns, tiles_resident<Sum>)
    weigh_tiles(Source source, Target target, TileTables t, unsigned groups) {
  __shared__ MixedColumns<N, R> mixed;
  __shared__ float light[shared_for_loads<Source>];
  __shared__ std::uint32_t codes[shared_for_stores<Target>];
  ready_loads(source, light, static_cast<int>(threadIdx.x), tile_columns);
  ready_stores(target, codes, static_cast<int>(threadIdx.x), tile_columns);
  if constexpr (shared_for_loads < Source >> 1) __syncthreads();
  const Tile tile = t.tiles[blockIdx.x];
  for (unsigned group = blockIdx.y; group < groups; group += gridDim.y) {
    if (is_decoded<Source> && group != blockIdx.y) __syncthreads();
    weigh_group<N, R, Sum>(source, target, t, tile, t.groups[group], mixed);
  }
}

template <int N, int R, class Sum>
void run_tiles(CudaQueue& card, const ResizePlan::Layer& layer, const WeighedTables& on_card,
               const Frame& source, const Frame& target) {
  const AxisTable &columns = *layer.columns, &rows = *layer.rows;
  const TileTables tables{on_card.tiles.data(),
                          on_card.groups.data(),
                          on_card.row_masks.data(),
                          on_card.group_weights.data(),
                          on_card.column_start.data(),
                          on_card.column_taps.data(),
                          on_card.transposed_column_weights.data(),
                          columns.size(),
                          columns.first,
                          !rows.is_identity(),
                          !columns.is_identity()};
  const auto tiles = static_cast<unsigned>(on_card.tile_count);
  const auto groups = static_cast<unsigned>(on_card.group_count);
  constexpr bool by_kind = sizeof(Sum) == sizeof(TapSum<N>);
  with_pixels<N, by_kind>(
      card, source, target, [&]<class Source>(const Source& texels, const auto& pixels) {
        const auto at_once = static_cast<unsigned>(card.multiprocessors() * tiles_resident<Sum>);
        const unsigned down =
            is_decoded<Source> ? std::min(groups, (2 * at_once + tiles - 1) / tiles) : groups;
        weigh_tiles<N, R, Sum>
            <<<dim3(tiles, down), tile_columns, 0, card.stream()>>>(texels, pixels, tables, groups);
      });
  check_launch("weigh_tiles");
}

// One of the two passes, for filters of any width and for taps that wrap around.
template <class Sum>
struct MixAlong {
  const int* start;
  const int* taps;
  const float* weights;
  int stride, first;
  bool is_horizontal, mixes;
  int low, length;  ///< The source's extent on this axis.

  template <int N>
  __device__ Pixel<N> operator()(const CudaRows<float, N>& source, int x, int y) const {
    if (!mixes) return load(source, x, y);
    const int at = (is_horizontal ? x : y) - first;
    const float* weight = weights + static_cast<std::ptrdiff_t>(at) * stride;
    Sum sum;
    for (int k = 0; k < taps[at]; ++k) {
      int i = start[at] + k;
      if (i < low || i >= low + length) {
        const int remainder = (i - low) % length;
        i = low + (remainder < 0 ? remainder + length : remainder);
      }
      sum.add(weight[k], is_horizontal ? load(source, i, y) : load(source, x, i));
    }
    return sum.result();
  }
};

template <int N, class Sum>
void run_axis(CudaQueue& card, const AxisTable& table, const WeighedTables& on_card,
              bool is_horizontal, const Frame& source, const Frame& target) {
  const Rect& s = source.region();
  const MixAlong<Sum> mix{
      is_horizontal ? on_card.column_start.data() : on_card.row_start.data(),
      is_horizontal ? on_card.column_taps.data() : on_card.row_taps.data(),
      is_horizontal ? on_card.column_weights.data() : on_card.row_weights.data(),
      table.stride,
      table.first,
      is_horizontal,
      !table.is_identity(),
      is_horizontal ? s.x : s.y,
      is_horizontal ? s.width : s.height};
  map_pixels(card, is_horizontal ? "mix_columns" : "mix_rows", mix,
             source.card().rows_view<float, N>(), target.card().pixel_target<N>(), target.region(),
             texel_block(target));
}

template <int N, class Sum>
void run_passes(CudaQueue& card, const ResizePlan::Layer& layer, const WeighedTables& on_card,
                const Frame& source, const Frame& target) {
  FrameFormat between = source.format();
  between.region.y = target.region().y;
  between.region.height = target.region().height;
  const Frame mixed = Frame::on_card(between, card.allocate(between));
  run_axis<N, Sum>(card, *layer.rows, on_card, false, source, mixed);
  run_axis<N, Sum>(card, *layer.columns, on_card, true, mixed, target);
}

template <int N, bool clamped>
void run_weighed(const Queue& queue, const ResizePlan::Layer& layer, const Frame& source,
                 const Frame& target) {
  CudaQueue& card = queue.card();
  using Sum = std::conditional_t<clamped, CardClampedTapSum<N>, TapSum<N>>;
  // Sums with their range take three times as many registers.
  constexpr int group_rows = clamped ? 4 : 8;
  const AxisTable &columns = *layer.columns, &rows = *layer.rows;
  const auto on_card = layer.weighed_on_card.of(
      card, [&] { return make_weighed_tables(card, columns, rows, group_rows); });
  if (halve_on_cuda(card, layer, clamped, *on_card, source, target)) return;
  if (!clamped && enlarge_on_cuda(card, layer, *on_card, source, target)) return;
  if (on_card->tile_count > 0)
    return run_tiles<N, group_rows, Sum>(card, layer, *on_card, source, target);
  made_as_floats(queue, target, [&](const Frame& floats) {
    run_passes<N, Sum>(card, layer, *on_card, as_floats(queue, source), floats);
  });
}

}  // namespace

void resize_weighed_on_cuda(const Queue& queue, const ResizePlan& plan,
                            const ResizePlan::Layer& layer, const Frame& source,
                            const Frame& target) {
  with_stored_channels(source.format().stored_channels(), [&](auto n) {
    if (plan.clamp_ringing)
      run_weighed<n(), true>(queue, layer, source, target);
    else
      run_weighed<n(), false>(queue, layer, source, target);
  });
}

}  // namespace cuimg

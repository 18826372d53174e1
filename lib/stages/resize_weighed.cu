// SPDX-License-Identifier: Apache-2.0
// Both passes of a weighed resize in one kernel: a block mixes rows of a strip of columns into
// shared memory and mixes their columns from there, so that memory sees the source about once and
// the target once. Where a filter is wider than a block the passes run one after the other.
#include <algorithm>
#include <vector>

#include "device/cuda_map_pixels.cuh"
#include "kernels/resample.h"
#include "stages/cuda_rows.cuh"
#include "stages/resize_cuda.h"

namespace cuimg {
namespace {

constexpr int tile_columns = 128;  // source columns of a block, one a thread
constexpr int tiles_resident = 8;  // blocks of a multiprocessor: 64 registers a thread

/// Target columns [begin, end) and the source columns [left, left + span) they read.
struct Tile {
  int begin, end, left, span;
};

/// Target rows [begin, begin + count) and the source rows [low, high) they read.
struct RowGroup {
  int begin, count, low, high;
  int first_weight;  ///< Index into TileTables::row_masks of source row `low`.
};

struct TileTables {
  const Tile* tiles;
  const RowGroup* groups;
  /// For each source row of each group: which of the group's target rows it reaches, and its
  /// weight in each.
  const unsigned* row_masks;
  const float* row_weights;
  const int* column_start;  ///< From here on for each target column.
  const int* column_taps;
  const float* column_weights;  ///< Weight k of all columns, then weight k + 1.
  int columns, first_column;
  bool mixes_rows, mixes_columns;
};

// Where a mixed column lies: even ones, then odd ones. Neighbouring target columns of a picture
// that is halved read every second column, which then fall into different banks; four texels
// between the halves keep neighbours apart too.
constexpr int odd_columns = tile_columns / 2 + 4;
__device__ inline int slot(int column) { return (column >> 1) + (column & 1) * odd_columns; }

template <int R>
struct alignas(R * sizeof(float) < 16 ? R * sizeof(float) : 16) RowWeights {
  float of[R];
};

// The rows' pass for one source column. Texels are fetched some ahead of their sums: memory is far.
template <int N, int R, class Sum>
__device__ void mix_column_of_rows(const CudaRows<float, N>& source, int x, const RowGroup& group,
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
#pragma unroll
    for (int i = 0; i < ahead; ++i) texels[i] = load(source, x, y + i);
#pragma unroll
    for (int i = 0; i < ahead; ++i) add(y + i, texels[i]);
  }
  for (; y < group.high; ++y) add(y, load(source, x, y));
}

template <int N, int R, class Sum>
__global__ void __launch_bounds__(tile_columns, sizeof(Sum) > 16 ? 1 : tiles_resident)
    weigh_tiles(CudaRows<float, N> source, CudaRows<float, N> target, TileTables t) {
  __shared__ Pixel<N> mixed[R][2 * odd_columns];
  const Tile tile = t.tiles[blockIdx.x];
  const RowGroup group = t.groups[blockIdx.y];
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

  // A thread makes a few rows of one target column, so that a weight is fetched once for all.
  constexpr int rows_each = R < 4 ? R : 4;
  const int outputs = tile.end - tile.begin;
  const int lanes = (outputs + 31) / 32 * 32;
  for (int item = thread; item < lanes * (R / rows_each); item += tile_columns) {
    const int share = item / lanes, column = item - share * lanes;
    if (column >= outputs) continue;
    const int x = tile.begin + column, index = x - t.first_column, row = share * rows_each;
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
        for (int r = 0; r < rows_each; ++r) sums[r].add(weight, mixed[row + r][at]);
      }
#pragma unroll
      for (int r = 0; r < rows_each; ++r) results[r] = sums[r].result();
    } else {
#pragma unroll
      for (int r = 0; r < rows_each; ++r) results[r] = mixed[row + r][slot(x - tile.left)];
    }
#pragma unroll
    for (int r = 0; r < rows_each; ++r)
      if (row + r < group.count) store_streaming(target, x, group.begin + row + r, results[r]);
  }
}

// Target columns in runs whose source columns fit a block; empty when some do not, or when blocks
// would mostly read what their neighbours read too.
std::vector<Tile> make_tiles(const AxisTable& columns) {
  std::vector<Tile> tiles;
  const int end = columns.first + columns.size();
  for (int x = columns.first; x < end;) {
    int left = columns.start_of(x), right = left + columns.taps_of(x), next = x + 1;
    if (right - left > tile_columns) return {};
    for (; next < end; ++next) {
      const int grown_left = std::min(left, columns.start_of(next));
      const int grown_right = std::max(right, columns.start_of(next) + columns.taps_of(next));
      if (grown_right - grown_left > tile_columns) break;
      left = grown_left;
      right = grown_right;
    }
    tiles.push_back({x, next, left, right - left});
    x = next;
  }
  std::int64_t read = 0;
  for (const Tile& tile : tiles) read += tile.span;
  const auto [low, high] = columns.reach(columns.first, end);
  if (read > 3 * std::int64_t{high - low}) return {};
  return tiles;
}

struct RowTables {
  std::vector<RowGroup> groups;
  std::vector<unsigned> masks;
  std::vector<float> weights;
};

RowTables make_row_tables(const AxisTable& rows, int group_rows) {
  RowTables tables;
  const int end = rows.first + rows.size();
  for (int y = rows.first; y < end; y += group_rows) {
    const int count = std::min(group_rows, end - y);
    const auto [low, high] = rows.reach(y, y + count);
    tables.groups.push_back({y, count, low, high, static_cast<int>(tables.masks.size())});
    for (int i = low; i < high; ++i) {
      unsigned mask = 0;
      for (int r = 0; r < group_rows; ++r) {
        const int k = r < count ? i - rows.start_of(y + r) : -1;
        const bool reached = k >= 0 && k < rows.taps_of(y + r);
        mask |= static_cast<unsigned>(reached) << r;
        tables.weights.push_back(reached ? rows.weights_of(y + r)[k] : 0.0f);
      }
      tables.masks.push_back(mask);
    }
  }
  return tables;
}

std::vector<float> transposed_weights(const AxisTable& table) {
  std::vector<float> weights;
  weights.reserve(table.weights.size());
  for (int k = 0; k < table.stride; ++k)
    for (int x = table.first; x < table.first + table.size(); ++x)
      weights.push_back(table.weights_of(x)[k]);
  return weights;
}

// All of a weighed layer's tables. Without tiles the passes run one after the other.
struct WeighedTables {
  std::size_t tile_count, group_count;
  DeviceTable<Tile> tiles;
  DeviceTable<RowGroup> groups;
  DeviceTable<unsigned> row_masks;
  DeviceTable<float> row_weights;
  DeviceTable<int> column_start, column_taps;
  DeviceTable<float> column_weights;
  DeviceTable<int> row_start, row_taps;
  DeviceTable<float> column_weights_by_column, row_weights_by_row;

  WeighedTables(CudaQueue& card, const AxisTable& columns, const AxisTable& rows,
                const std::vector<Tile>& tile_list, const RowTables& row_tables)
      : tile_count(tile_list.size()),
        group_count(row_tables.groups.size()),
        tiles(card, tile_list),
        groups(card, row_tables.groups),
        row_masks(card, row_tables.masks),
        row_weights(card, row_tables.weights),
        column_start(card, columns.start),
        column_taps(card, columns.taps),
        column_weights(card, transposed_weights(columns)),
        row_start(card, rows.start),
        row_taps(card, rows.taps),
        column_weights_by_column(card, columns.weights),
        row_weights_by_row(card, rows.weights) {}
};

template <int N, int R, class Sum>
void run_tiles(CudaQueue& card, const ResizePlan::Layer& layer, const WeighedTables& on_card,
               const Frame& source, const Frame& target) {
  const AxisTable &columns = *layer.columns, &rows = *layer.rows;
  const TileTables tables{on_card.tiles.data(),
                          on_card.groups.data(),
                          on_card.row_masks.data(),
                          on_card.row_weights.data(),
                          on_card.column_start.data(),
                          on_card.column_taps.data(),
                          on_card.column_weights.data(),
                          columns.size(),
                          columns.first,
                          !rows.is_identity(),
                          !columns.is_identity()};
  const dim3 grid(static_cast<unsigned>(on_card.tile_count),
                  static_cast<unsigned>(on_card.group_count));
  weigh_tiles<N, R, Sum><<<grid, tile_columns, 0, card.stream()>>>(
      source.card().rows_view<float, N>(), target.card().rows_view<float, N>(), tables);
  check_launch("weigh_tiles");
}

// One pass by itself, for filters of any width and for taps that wrap around.
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
void run_pass(CudaQueue& card, const AxisTable& table, const WeighedTables& on_card,
              bool is_horizontal, const Frame& source, const Frame& target) {
  const Rect& s = source.region();
  const MixAlong<Sum> mix{
      is_horizontal ? on_card.column_start.data() : on_card.row_start.data(),
      is_horizontal ? on_card.column_taps.data() : on_card.row_taps.data(),
      is_horizontal ? on_card.column_weights_by_column.data() : on_card.row_weights_by_row.data(),
      table.stride,
      table.first,
      is_horizontal,
      !table.is_identity(),
      is_horizontal ? s.x : s.y,
      is_horizontal ? s.width : s.height};
  map_pixels(card, is_horizontal ? "mix_columns" : "mix_rows", mix,
             source.card().rows_view<float, N>(), target.card().rows_view<float, N>(),
             target.region(), dim3(128, 2));
}

template <int N, bool clamped>
void run_weighed(CudaQueue& card, const ResizePlan::Layer& layer, const Frame& source,
                 const Frame& target) {
  using Sum = std::conditional_t<clamped, ClampedTapSum<N>, TapSum<N>>;
  // Range-keeping sums take three times the registers.
  constexpr int group_rows = clamped ? 2 : 8;
  const AxisTable &columns = *layer.columns, &rows = *layer.rows;
  const auto on_card = layer.on_card->of<WeighedTables>(card, [&] {
    const bool wraps = columns.wraps || rows.wraps;
    const std::vector<Tile> tiles = wraps ? std::vector<Tile>{} : make_tiles(columns);
    return std::make_shared<WeighedTables>(
        card, columns, rows, tiles,
        tiles.empty() ? RowTables{} : make_row_tables(rows, group_rows));
  });
  if (on_card->tile_count > 0)
    return run_tiles<N, group_rows, Sum>(card, layer, *on_card, source, target);
  FrameFormat between = source.format();
  between.region.y = target.region().y;
  between.region.height = target.region().height;
  const Frame mixed = Frame::on_card(between, card.allocate(between));
  run_pass<N, Sum>(card, rows, *on_card, false, source, mixed);
  run_pass<N, Sum>(card, columns, *on_card, true, mixed, target);
}

template <bool clamped>
void run_channels(CudaQueue& card, const ResizePlan::Layer& layer, const Frame& source,
                  const Frame& target) {
  switch (source.format().stored_channels()) {
    case 1:
      return run_weighed<1, clamped>(card, layer, source, target);
    case 2:
      return run_weighed<2, clamped>(card, layer, source, target);
    default:
      return run_weighed<4, clamped>(card, layer, source, target);
  }
}

}  // namespace

void resize_weighed_on_cuda(CudaQueue& card, const ResizePlan& plan, const ResizePlan::Layer& layer,
                            const Frame& source, const Frame& target) {
  if (plan.clamp_ringing)
    run_channels<true>(card, layer, source, target);
  else
    run_channels<false>(card, layer, source, target);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Pictures reduced to exactly half their size, where all target pixels have the same weights. A
// block moves down a strip of columns. A thread keeps the incomplete sums of the few target rows to
// which its column's next texels contribute, so that each texel is read once. Complete rows are
// written to shared memory, where their columns are weighed.
#include <algorithm>
#include <type_traits>

#include "stages/pass/stored_pixels.cuh"
#include "stages/resample/resize_halved.cuh"

namespace cuimg {
namespace {

constexpr int group = halved_group;
using Pixel4 = Pixel<4>;
using PairRange = TexelRange<4>;

// The index of a column in a row of MixedRows. Columns with the same remainder by 4 are adjacent.
// The threads of a warp read every fourth column, so they read adjacent texels, in different banks.
// Two unused texels between the quarters put neighbouring columns, which the threads write, in
// different banks too.
constexpr int quarter = tile_columns / 4 + 2;
__device__ int place_of(int column) { return (column & 3) * quarter + (column >> 2); }
using MixedRows = Pixel4[group][4 * quarter];

/// Lane l of a warp has texels 2l and 2l + 1 before, and texels l and l + 32 afterwards. All lanes
/// must call it.
template <class Texel>
__device__ void unzip_columns(Texel (&texels)[2]) {
  constexpr int words = sizeof(Texel) / sizeof(unsigned);
  const int lane = static_cast<int>(threadIdx.x) & 31;
  const bool is_upper = lane >= 16, is_odd = (lane & 1) != 0;
  unsigned word[2][words];
  __builtin_memcpy(word, texels, sizeof word);
#pragma unroll
  for (int i = 0; i < words; ++i) {
    // An even lane needs the first texel of one lane in each half of the warp, an odd lane the
    // second. In each exchange one half offers first texels and the other half second ones, so that
    // every lane receives one that it needs.
    const unsigned one =
        __shfl_sync(0xffffffffu, is_upper ? word[1][i] : word[0][i], lane / 2 + (is_odd ? 16 : 0));
    const unsigned other =
        __shfl_sync(0xffffffffu, is_upper ? word[0][i] : word[1][i], lane / 2 + (is_odd ? 0 : 16));
    word[0][i] = is_odd ? other : one;
    word[1][i] = is_odd ? one : other;
  }
  __builtin_memcpy(texels, word, sizeof word);
}

// Two neighbouring target columns of a row that have all of their taps.
// @param start the first tap of the first one. @tparam any_nan whether all NaNs are stored alike.
template <bool any_nan, int pairs, bool clamped>
__device__ void mix_whole_pair(const float* weights, const Pixel4* texels, int start,
                               Pixel4 (&results)[2]) {
  const Pixel4* from[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) from[k] = texels + place_of(start + k);
  TapSum<4> sums[2];
  PairRange first_pair, shared, last_pair;
#pragma unroll
  for (int k = 0; k <= pairs; ++k) {
    const int tap = 2 * k;
    const Pixel4 a = from[tap % 4][tap / 4], b = from[tap % 4 + 1][tap / 4];
    if (k < pairs) sums[0].add(weights[tap], a), sums[0].add(weights[tap + 1], b);
    if (k > 0) sums[1].add(weights[tap - 2], a), sums[1].add(weights[tap - 1], b);
    if constexpr (clamped) {
      const PairRange pair = PairRange::of(a, b);
      if (k == 0)
        first_pair = pair;
      else if (k == pairs)
        last_pair = pair;
      else
        shared = k == 1 ? pair : joined(shared, pair);
    }
  }
  if constexpr (clamped) {
    results[0] = (pairs > 1 ? joined(first_pair, shared) : first_pair).limited(sums[0]);
    results[1] = (pairs > 1 ? joined(shared, last_pair) : last_pair).limited(sums[1]);
  } else {
#pragma unroll
    for (int i = 0; i < 2; ++i) results[i] = any_nan ? sums[i].sum : sums[i].result();
  }
}

// A target column near an edge, with the taps that the table lists. @param left the tile's first
// source column.
template <bool clamped>
__device__ Pixel4 mix_by_table(const HalvedTable& columns, const Pixel4* texels, int x, int left) {
  const int at = x - columns.first;
  const int start = __ldg(columns.start + at) - left, taps = __ldg(columns.taps + at);
  const float* const weights = columns.weights + static_cast<std::ptrdiff_t>(at) * columns.stride;
  PartialSum<clamped> sum;
  for (int k = 0; k < taps; ++k) sum.add(__ldg(weights + k), texels[place_of(start + k)]);
  return sum.result();
}

// Weighs the columns of a group of rows in shared memory. A thread computes two neighbouring
// columns of a row, which share most of their texels. A warp computes a row. For an array, whose
// sectors are two rows high, it computes half of two rows instead.
template <bool any_nan, int pairs, bool clamped, class Target>
__device__ void mix_columns(const Target& target, const HalvedTable& columns, const Tile& tile,
                            const MixedRows& mixed, int y, int rows) {
  constexpr bool array = is_in_array<Target>;
  static_assert(tile_columns / 32 == group);
  const int lane = static_cast<int>(threadIdx.x) & 31, warp = static_cast<int>(threadIdx.x) >> 5;
  const int row = array ? (warp & ~1) + (lane >> 4) : warp;
  const int first = array ? (warp & 1) * 32 + (lane & 15) * 2 : lane * 2;
  const Pixel4* const texels = mixed[row];
  for (int left = tile.begin; left < tile.end; left += 64) {
    const int x = left + first;
    Pixel4 results[2] = {};
    if (x >= columns.axis.low && x + 1 < columns.axis.high && x < tile.end) {
      // The second column may be after the tile's end. Then its texels are undefined, and it is not
      // stored.
      const int start = 2 * x + columns.axis.offset - tile.left;
      mix_whole_pair<any_nan, pairs, clamped>(columns.axis.weights, texels, start, results);
    } else {
#pragma unroll
      for (int i = 0; i < 2; ++i)
        if (x + i < tile.end) results[i] = mix_by_table<clamped>(columns, texels, x + i, tile.left);
    }
    typename EncodedFor<Target>::type made[2];
    encode_all(target, results, made);
    // Threads exchange texels so that neighbouring threads store neighbouring floats. For clamped
    // sums, which take more arithmetic, the exchange costs more than it saves.
    constexpr bool unzips = !array && !clamped && sizeof made[0] == sizeof(Pixel4);
    if constexpr (unzips) unzip_columns(made);
    const int to[2] = {unzips ? left + lane : x, unzips ? left + lane + 32 : x + 1};
#pragma unroll
    for (int i = 0; i < 2; ++i)
      if (row < rows && to[i] < tile.end) store_encoded(target, to[i], y + row, made[i]);
  }
}

template <bool any_nan, int pairs, bool clamped, class Target>
struct MixTexels {
  const Target& target;
  const HalvedTable& columns;
  const Tile& tile;
  MixedRows (&mixed)[2];

  __device__ Pixel4& place(int buffer, int row) const {
    return mixed[buffer][row][place_of(static_cast<int>(threadIdx.x))];
  }
  __device__ void mix(int buffer, int y, int rows) const {
    mix_columns<any_nan, pairs, clamped>(target, columns, tile, mixed[buffer], y, rows);
  }
};

// Blocks on a multiprocessor, which share its registers. With more of them a thread would not have
// enough registers for its sums and texels. Texels that are decoded when they are used take fewer
// registers than floats.
template <bool clamped, class Source>
constexpr int blocks_at_once = clamped                                      ? 3
                               : std::is_same_v<Source, CudaRows<float, 4>> ? 4
                               : is_of_kind<Source>                         ? 6
                                                                            : 5;

template <int pairs, bool clamped, class Source, class Target>
__global__ void __launch_bounds__(tile_columns, blocks_at_once<clamped, Source>)
    halve(Source source, Target target, const Tile* tiles, Halving h) {
  __shared__ MixedRows mixed[2];
  __shared__ float light[shared_for_loads<Source>];
  __shared__ std::uint32_t codes[shared_for_stores<Target>];
  ready_loads(source, light, static_cast<int>(threadIdx.x), tile_columns);
  ready_stores(target, codes, static_cast<int>(threadIdx.x), tile_columns);
  if constexpr (shared_for_loads < Source >> 1) __syncthreads();
  const Tile tile = tiles[blockIdx.x];
  const int x = tile.left + static_cast<int>(threadIdx.x);
  const bool has_column = static_cast<int>(threadIdx.x) < tile.span;
  const auto block = static_cast<int>(blockIdx.y);
  const auto mix = [&]<class Rows>(std::type_identity<Rows>) {
    return MixTexels<Rows::any_nan, pairs, clamped, Target>{target, h.columns, tile, mixed};
  };
  if (block < halved_edges) {
    const int begin = block == 0 ? h.rows.first : h.high, end = block == 0 ? h.low : h.rows.end;
    using Rows = PartialRows<pairs, clamped, Source, int>;
    halve_strip<pairs, clamped>(Rows{{source, h.rows, x, begin}}, has_column,
                                mix(std::type_identity<Rows>()), end);
  } else {
    const int begin = h.low + (block - halved_edges) * h.strip;
    using Rows = WholeRows<pairs, clamped, Source, int>;
    halve_strip<pairs, clamped>(Rows{{source, h.rows, x, begin}}, has_column,
                                mix(std::type_identity<Rows>()), min(begin + h.strip, h.high));
  }
}

template <int pairs, bool clamped>
void launch_halved(CudaQueue& card, const WeighedTables& tables, const HalvedTable& columns,
                   const HalvedTable& rows, const Frame& source, const Frame& target) {
  // Neighbouring strips read some of the same rows, fewer if strips are long. Strips of floats are
  // short: neighbours run at the same time, and the second one finds the shared rows in the cache.
  const Halving halving =
      halving_of(columns, rows, !clamped && source.stored_form() == nullptr ? 16 : 32);
  const int strips = (halving.high - halving.low + halving.strip - 1) / halving.strip;
  const dim3 grid(static_cast<unsigned>(tables.tile_count),
                  static_cast<unsigned>(halved_edges + strips));
  const auto launch = [&](const auto& rows_of_source, const auto& pixels) {
    halve<pairs, clamped><<<grid, tile_columns, 0, card.stream()>>>(rows_of_source, pixels,
                                                                    tables.tiles.data(), halving);
  };
  if constexpr (clamped)
    target.card().with_pixel_target<4>(
        [&](const auto& pixels) { launch(source.card().rows_view<float, 4>(), pixels); });
  else
    with_pixels<4>(card, source, target, launch);
  check_launch("halve");
}

// Whether clamping of a whole sum is valid.
bool all_count(const HalvedAxis& axis) {
  float total = 0;
  for (int k = 0; k < axis.taps; ++k) {
    if (axis.weights[k] == 0) return false;
    total += axis.weights[k];
  }
  return total == 1;
}

}  // namespace

bool halve_on_cuda(CudaQueue& card, const ResizePlan::Layer& layer, bool clamped,
                   const WeighedTables& tables, const Frame& source, const Frame& target) {
  const auto &columns = tables.halved_columns, &rows = tables.halved_rows;
  const int channels = source.format().stored_channels();
  if (tables.tile_count == 0 || !columns || !rows || columns->taps != rows->taps || channels == 2 ||
      (channels == 1 && clamped))
    return false;
  if (clamped && !(all_count(*columns) && all_count(*rows))) return false;
  // This case is rare, and its kernels would double the time that this file takes to compile.
  if (clamped && (source.stored_form() || target.stored_form())) return false;
  const HalvedTable of_columns = table_of(*layer.columns, *columns, tables.column_start,
                                          tables.column_taps, tables.column_weights);
  const HalvedTable of_rows =
      table_of(*layer.rows, *rows, tables.row_start, tables.row_taps, tables.row_weights);
  if (channels == 1) return halve_grey_on_cuda(card, of_columns, of_rows, source, target);
  const auto with = [&]<int pairs>(std::integral_constant<int, pairs>) {
    if (clamped)
      launch_halved<pairs, true>(card, tables, of_columns, of_rows, source, target);
    else
      launch_halved<pairs, false>(card, tables, of_columns, of_rows, source, target);
    return true;
  };
  switch (columns->taps) {
    case 2:
      return with(std::integral_constant<int, 1>{});
    case 4:
      return with(std::integral_constant<int, 2>{});
    case 6:
      return with(std::integral_constant<int, 3>{});
    case 8:
      return with(std::integral_constant<int, 4>{});
    case 12:
      return with(std::integral_constant<int, 6>{});
    default:
      return false;
  }
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Small boxes of narrow pixels of four channels, both axes in one pass. A thread folds a column of
// a tile, each channel separately, and writes the results to shared memory as floats. Then it folds
// along a run of a row and stores the run's pixels.
#pragma once

#include "device/cuda/cuda_limits.h"
#include "stages/pass/stored_pixels.cuh"
#include "stages/window/narrow_tiles.cuh"

namespace cuimg::detail {

inline constexpr int run = 8;         // pixels of a row that a thread produces together
inline constexpr int run_lanes = 16;  // threads of a row

struct RunPass {
  const char* data;  ///< The source's first row.
  std::size_t pitch_bytes;
  int left, top;
  RowMemory to;
  BorderAxis columns, rows;
  Rect target;
  int rx, ry;

  template <class Word>
  __device__ const Word* row(int y) const {
    return reinterpret_cast<const Word*>(data + static_cast<std::size_t>(y - top) * pitch_bytes);
  }
  /// Stores a run's texels that are before the row's end. @param x, y from the target's corner.
  template <class Word>
  __device__ void store(int x, int y, const Word (&texels)[run]) const {
    constexpr int together = 16 / sizeof(Word);
    struct alignas(16) Together {
      Word v[together];
    };
    constexpr int bytes = static_cast<int>(sizeof(Word));
    if (x + run <= target.width) {
#pragma unroll
      for (int q = 0; q < run; q += together) {
        Together all;
#pragma unroll
        for (int k = 0; k < together; ++k) all.v[k] = texels[q + k];
        to.store_streaming((x + q) * bytes, y, all);
      }
      return;
    }
#pragma unroll
    for (int q = 0; q < run; ++q)
      if (x + q < target.width) to.store_streaming((x + q) * bytes, y, texels[q]);
  }
};

inline RunPass run_pass_of(const BorderSampler& borders, int rx, int ry, const Frame& source,
                           const Frame& target) {
  return {static_cast<const char*>(source.card().data()),
          source.card().pitch_bytes(),
          source.region().x,
          source.region().y,
          {static_cast<char*>(target.card().data()), target.card().pitch_bytes()},
          borders.columns,
          borders.rows,
          target.region(),
          rx,
          ry};
}

/// The results of the columns, for each channel: groups of four in a row are at four_at().
using FoldedTile = float[4][tile_rows][tile_threads];

/// Threads read groups of four that are two apart. In every second set of eight groups, neighbours
/// are exchanged, so that they are in different banks.
__device__ inline int four_at(int four) { return four ^ (four >> 3 & 1); }
__device__ inline int place_at(int x) { return four_at(x >> 2) * 4 + (x & 3); }

/// The width of a tile in pixels: the windows of its last pixels need the rest of the columns.
__host__ __device__ constexpr int tile_wide(int rx) { return (tile_threads - 2 * rx) / run * run; }

/// folded[j] = v(j), ..., v(j + 2 radius) joined in pairs: each goes through radius + 1 joins at
/// most. v(k) is called once for each k, in order.
template <int count, class State, class Value, class Join>
__device__ inline void fold_pairs(int radius, const Value& v, const Join& join,
                                  State (&folded)[count]) {
  State pairs[count + widest - 2], last;
#pragma unroll
  for (int k = 0; k < count; ++k) {
    folded[k] = v(k);
    if (k > 0) pairs[k - 1] = join(last, folded[k]);
    last = folded[k];
  }
#pragma unroll
  for (int i = 1; i <= widest / 2; ++i) {
    if (i > radius) break;
    const int k = count + 2 * i - 2;
    const State first = v(k), second = v(k + 1);
    pairs[k - 1] = join(last, first);
    pairs[k] = join(first, second);
    last = second;
#pragma unroll
    for (int j = 0; j < count; ++j) folded[j] = join(folded[j], pairs[j + 2 * i - 1]);
  }
}

/// The same for the windows of a run. @param four their first group of four values.
/// @param use (value): returns what is folded.
template <class Use, class Join>
__device__ inline void fold_run(int rx, const float (&row)[tile_threads], int four, const Use& use,
                                const Join& join, float (&folded)[run]) {
  float4 values;
  const auto value = [&](int k) {
    if (k % 4 == 0) values = *reinterpret_cast<const float4*>(&row[4 * four_at(four + k / 4)]);
    return use(k % 4 == 0 ? values.x : k % 4 == 1 ? values.y : k % 4 == 2 ? values.z : values.w);
  };
  fold_pairs<run>(rx, value, join, folded);
}

/// `count` texels of a column from row y on, and the further ones that their windows need; 0 beyond
/// a border of zeros.
template <int count, class Word>
__device__ inline void load_texels(const RunPass& p, int column, int y,
                                   Word (&texels)[count + widest - 1]) {
  const char* const first = p.data + static_cast<std::size_t>(max(column, 0)) * sizeof(Word);
  const auto texel = [](const char* at) { return __ldg(reinterpret_cast<const Word*>(at)); };
  const auto all = [&](const auto& one) {
#pragma unroll
    for (int k = 0; k < count; ++k) texels[k] = one(k);
#pragma unroll
    for (int k = count; k < count + widest - 1; k += 2) {
      if (k >= count + 2 * p.ry) break;
      texels[k] = one(k);
      texels[k + 1] = one(k + 1);
    }
  };
  if (column >= 0 && y >= p.rows.low && y + count + 2 * p.ry <= p.rows.high) {
    const char* at = first + static_cast<std::size_t>(y - p.top) * p.pitch_bytes;
    all([&](int) {
      const Word word = texel(at);
      at += p.pitch_bytes;
      return word;
    });
  } else {
    all([&](int k) {
      const int row = border_index(p.rows, y + k);
      if (column < 0 || row == BorderAxis::nothing) return Word{};
      return texel(first + static_cast<std::size_t>(row - p.top) * p.pitch_bytes);
    });
  }
}

/// A filter has
///   Memory                            shared by a block; ready(memory) fills in its tables
///   RunPass pass
///   resident                          blocks per multiprocessor
///   rows_together                     rows of a column that a thread produces together
///   fold_down(column, y, row, memory) produces them; y: the source's first row, `row`: the tile's;
///                                     returns whether one of them is special
///   finish(memory, is_plain, row, four, x, y, is_there)
///                                     produces a run; called by all lanes of a warp together. x, y
///                                     of its first pixel, from the target's corner; `row` and
///                                     `four` of the tile; plain if nothing in the tile is special
template <class Filter>
__global__ void __launch_bounds__(tile_threads, Filter::resident) fold_in_runs(Filter filter) {
  __shared__ typename Filter::Memory memory;
  filter.ready(memory);
  __syncthreads();
  const auto& p = filter.pass;
  const int thread = static_cast<int>(threadIdx.x), wide = tile_wide(p.rx);
  const int left = static_cast<int>(blockIdx.x) * wide;
  const int place = border_index(p.columns, p.target.x + left - p.rx + thread);
  const int column = place == BorderAxis::nothing ? -1 : place - p.left;
  const int x = thread % run_lanes * run;
#pragma unroll 1
  for (int tile = 0; tile < tiles_down; ++tile) {
    const int top = (static_cast<int>(blockIdx.y) * tiles_down + tile) * tile_rows;
    const int height = min(p.target.height - top, tile_rows);
    if (height <= 0) return;
    bool is_special = false;
#pragma unroll 1
    for (int row = 0; row < tile_rows; row += Filter::rows_together)
      is_special |= filter.fold_down(column, p.target.y + top + row - p.ry, row, memory);
    const bool is_plain = __syncthreads_or(is_special) == 0;
#pragma unroll 1
    for (int row = thread / run_lanes; row < tile_rows; row += tile_threads / run_lanes)
      filter.finish(memory, is_plain, row, x / 4, left + x, top + row,
                    x < wide && left + x < p.target.width && row < height);
    __syncthreads();
  }
}

/// Queues the filter.
template <class Filter>
void run_in_runs(CudaQueue& card, const char* name, const Filter& filter) {
  const RunPass& p = filter.pass;
  const dim3 grid = blocks_for(
      p.target.width, p.target.height,
      dim3(static_cast<unsigned>(tile_wide(p.rx)), static_cast<unsigned>(tile_rows * tiles_down)));
  fold_in_runs<<<grid, tile_threads, 0, card.stream()>>>(filter);
  check_launch(name);
}

}  // namespace cuimg::detail

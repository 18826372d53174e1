// SPDX-License-Identifier: Apache-2.0
// Sliding windows along the rows of a frame on a card: a block of threads loads a part of a row
// into shared memory.
#pragma once

#include <cuda_pipeline_primitives.h>

#include "stages/window/window_wide.cuh"

namespace cuimg::detail {

/// acc[j] = the fold of values[j] ... values[j + width - 1].
template <class Fold>
__device__ inline void fold_direct_group(const Fold& fold, int width,
                                         const typename Fold::State (&values)[2 * window_block - 2],
                                         typename Fold::State (&sums)[window_block]) {
#pragma unroll
  for (int j = 0; j < window_block; ++j) sums[j] = fold.neutral();
#pragma unroll
  for (int k = 0; k < widest_direct; ++k)
    if (k < width) {
#pragma unroll
      for (int j = 0; j < window_block; ++j) sums[j] = fold.join(sums[j], values[j + k]);
    }
}

// A part of a row in shared memory. A thread produces 16 pixels of one channel. A gap of one pixel
// after each block keeps neighbouring threads in different banks.
template <class Fold, class Memory>
struct RowPass {
  using Stored = typename Fold::Stored;
  /// Rows of a block: two for an array, so that squares are stored, which fill its sectors.
  static constexpr int lines = std::is_same_v<Memory, ArrayMemory> ? 2 : 1;
  Fold fold;
  Window window;
  StoredRows<Stored> from;
  ValueTarget<Stored, Memory> to;
  BorderAxis axis;
  int left, right, top, bottom;
  int tiles;  ///< Of a row. Consecutive blocks are in the same row, since neighbours share pixels.
};

/// Few threads if neighbours share few pixels; and how many such groups should be resident at the
/// same time, because memory is slow. With more, a direct window's values would not fit into
/// registers.
__host__ __device__ constexpr int row_threads(bool is_direct) { return is_direct ? 64 : 128; }
__host__ __device__ constexpr int row_residents(bool is_direct) { return is_direct ? 10 : 8; }

template <int N>
__host__ __device__ inline int tile_blocks(const Window& window) {
  return row_threads(window.is_direct()) / N + (window.is_direct() ? 1 : window.span() + 1);
}
template <int N>
__host__ __device__ constexpr int tile_slot(int position) {
  return (position + (position >> 4)) * N;
}
/// The same for a block's first pixel: relative to it, positions are constants.
template <int N>
__device__ inline int tile_block_slot(int block) {
  return block * ((window_block + 1) * N);
}

template <class Fold, int N, class Memory>
__device__ inline void fold_tile_direct(const RowPass<Fold, Memory>& p,
                                        const typename Fold::Stored* tile, int block,
                                        typename Fold::Stored (&out)[window_block]) {
  const int width = p.window.width();
  typename Fold::State values[2 * window_block - 2], sums[window_block];
#pragma unroll
  for (int k = 0; k < 2 * window_block - 2; ++k) {
    values[k] = p.fold.neutral();
    if (k < window_block + width - 1)
      values[k] = p.fold.load(tile[tile_block_slot<N>(block) + tile_slot<N>(k)]);
  }
  fold_direct_group(p.fold, width, values, sums);
#pragma unroll
  for (int j = 0; j < window_block; ++j) out[j] = p.fold.store(sums[j]);
}

/// Copies to shared memory, asynchronously if copies of this size can be.
template <class Packed>
__device__ inline void fetch_texel(void* to, const Packed* from) {
  if constexpr (sizeof(Packed) >= 4)
    __pipeline_memcpy_async(to, from, sizeof(Packed));
  else
    *static_cast<Packed*>(to) = load_cached(from);
}

template <class Fold, int N, int threads, class Memory>
__device__ inline void fetch_tile(const RowPass<Fold, Memory>& p, int y, int first, int pixels,
                                  typename Fold::Stored* tile) {
  using Packed = PackedTexel<typename Fold::Stored, N>;
  const int thread = static_cast<int>(threadIdx.x);
  const auto* row = reinterpret_cast<const Packed*>(p.from.row(y));
  if (first >= p.axis.low && first + pixels <= p.axis.high) {
    const Packed* from = row + (first - p.from.left);
#pragma unroll 5
    for (int i = thread; i < pixels; i += threads) fetch_texel(tile + tile_slot<N>(i), from + i);
  } else {
    for (int i = thread; i < pixels; i += threads) {
      const int x = border_index(p.axis, first + i);
      if (x == BorderAxis::nothing)
        *reinterpret_cast<Packed*>(tile + tile_slot<N>(i)) = Packed{};
      else
        fetch_texel(tile + tile_slot<N>(i), row + (x - p.from.left));
    }
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
}

/// Called by `groups` times N threads, each for 16 windows. @param tile, totals from the thread's
/// channel on: the total of block b is totals[b * N]. @param sync waits for all of them; after it
/// no other thread reads the values at the ends of a thread's windows.
template <class Fold, int N, int groups, class Sync>
__device__ inline void fold_tile_blocks(const Fold& fold, const Window& window,
                                        const typename Fold::Stored* tile,
                                        typename Fold::State* totals, int block, const Sync& sync,
                                        typename Fold::Stored (&out)[window_block]) {
  using State = typename Fold::State;
  const int span = window.span(), rest = window.rest();
  typename Fold::Stored leaving[window_block];
#pragma unroll
  for (int j = 0; j < window_block; ++j) leaving[j] = tile[tile_block_slot<N>(block) + j * N];
  // Blocks between a window's ends, if there are any.
  if (span > 1) {
    State total = fold.neutral();
#pragma unroll
    for (int j = 0; j < window_block; ++j) total = fold.join(total, fold.load(leaving[j]));
    totals[block * N] = total;
    for (int b = block + groups; b < groups + span - 1; b += groups) {
      total = fold.neutral();
#pragma unroll
      for (int j = 0; j < window_block; ++j)
        total = fold.join(total, fold.load(tile[tile_block_slot<N>(b) + j * N]));
      totals[b * N] = total;
    }
  }
  State suffixes[window_block];
  fold_suffixes(fold, leaving, suffixes);
  const int entering = tile_block_slot<N>(block + span);
  const State prefix = fold_values<N>(fold, tile + entering, rest);
  sync();
  const State middle = fold_totals<N>(fold, fold.neutral(), totals + (block + 1) * N, span - 1);
  const typename Fold::Stored* in_block = tile + entering + rest * N;
  fold_ends<N>(fold, rest, suffixes, middle, prefix, in_block, in_block + N, out);
}

template <class Fold, int N, bool is_direct, class Memory>
__global__ void __launch_bounds__(row_threads(is_direct), row_residents(is_direct))
    fold_rows_in_tiles(RowPass<Fold, Memory> p) {
  using State = typename Fold::State;
  using Stored = typename Fold::Stored;
  using Packed = PackedTexel<Stored, N>;
  constexpr int threads = row_threads(is_direct), groups = threads / N;
  constexpr int lines = RowPass<Fold, Memory>::lines;
  extern __shared__ double shared_memory[];
  const int blocks = tile_blocks<N>(p.window);
  const int tile_size = tile_block_slot<N>(blocks);
  State* totals = reinterpret_cast<State*>(shared_memory);
  Stored* tiles = reinterpret_cast<Stored*>(shared_memory + blocks * N);
  const int thread = static_cast<int>(threadIdx.x);
  const int line = static_cast<int>(blockIdx.x) / p.tiles;
  const int top = p.top + line * lines;
  const int first = block_start(p.left - p.window.radius) +
                    (static_cast<int>(blockIdx.x) - line * p.tiles) * groups * window_block;
  const int block = thread / N, channel = thread % N;
#pragma unroll 1
  for (int i = 0; i < lines && (lines == 1 || top + i < p.bottom); ++i) {
    Stored* const tile = tiles + i * tile_size;
    fetch_tile<Fold, N, threads>(p, top + i, first, blocks * window_block, tile);
    __syncthreads();
    Stored out[window_block];
    if constexpr (is_direct)
      fold_tile_direct<Fold, N>(p, tile + channel, block, out);
    else
      fold_tile_blocks<Fold, N, groups>(
          p.fold, p.window, tile + channel, totals + channel, block, [] { __syncthreads(); }, out);
    __syncthreads();
#pragma unroll
    for (int j = 0; j < window_block; ++j)
      tile[tile_block_slot<N>(block) + j * N + channel] = out[j];
    __syncthreads();
  }
  // Squares of 16 by 2, or lines.
  const int row = lines == 2 ? thread >> 4 & 1 : 0;
  const int place = lines == 2 ? (thread >> 5) * 16 + (thread & 15) : thread;
  constexpr int step = threads / lines;
  const Stored* const made = tiles + row * tile_size + tile_slot<N>(place);
  const int x = first + place + p.window.radius, y = top + row;
  if (lines > 1 && y >= p.bottom) return;
#pragma unroll
  for (int k = 0; k < groups * window_block / step; ++k)
    if (x + k * step >= p.left && x + k * step < p.right)
      p.to.store_packed((x - p.to.left + k * step) * N, y,
                        *reinterpret_cast<const Packed*>(made + tile_slot<N>(k * step)));
}

template <class Fold, int N, class Memory>
void fold_rows_of(CudaQueue& card, const char* name, RowPass<Fold, Memory> p) {
  constexpr int lines = RowPass<Fold, Memory>::lines;
  const int threads = row_threads(p.window.is_direct()), pixels = threads / N * window_block;
  const int length = p.right - p.window.radius - block_start(p.left - p.window.radius);
  p.tiles = (length + pixels - 1) / pixels;
  const auto grid = static_cast<unsigned>((p.bottom - p.top + lines - 1) / lines) *
                    static_cast<unsigned>(p.tiles);
  const auto blocks = static_cast<std::size_t>(tile_blocks<N>(p.window));
  const std::size_t bytes =
      blocks * N * (sizeof(double) + lines * 17 * sizeof(typename Fold::Stored));
  if (p.window.is_direct())
    fold_rows_in_tiles<Fold, N, true><<<grid, threads, bytes, card.stream()>>>(p);
  else
    fold_rows_in_tiles<Fold, N, false><<<grid, threads, bytes, card.stream()>>>(p);
  check_launch(name);
}

}  // namespace cuimg::detail

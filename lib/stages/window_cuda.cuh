// SPDX-License-Identifier: Apache-2.0
// Sliding windows on a card. What is computed stands in kernels/window.h.
#pragma once

#include <algorithm>

#include "kernels/border.h"
#include "kernels/window.h"
#include "stages/window_column.cuh"
#include "stages/window_ring.cuh"
#include "stages/window_wide.cuh"

namespace cuimg {
namespace detail {

// Windows up to here are folded in one pass; wider ones by way of tables in memory.
inline constexpr int widest_span = most_single_blocks;

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

// Columns side by side: a thread owns one value of every row. Channels need not be told apart.
template <class Fold>
struct ColumnPass {
  using Stored = typename Fold::Stored;
  Fold fold;
  Window window;
  StoredRows<Stored> from, to;
  BorderAxis axis;
  int top, bottom, values;
  int chunk;  ///< Rows that one thread makes, a multiple of 16.

  __device__ Stored load(int value, int i) const {
    const int row = border_index(axis, i);
    return row == BorderAxis::nothing ? Stored{} : from.load(value, row);
  }
  template <int count>
  __device__ void load_rows(int value, int first, Stored (&rows)[count]) const {
    if (first >= axis.low && first + count <= axis.high) {
#pragma unroll
      for (int k = 0; k < count; ++k) rows[k] = from.load(value, first + k);
    } else {
#pragma unroll
      for (int k = 0; k < count; ++k) rows[k] = load(value, first + k);
    }
  }
};

inline constexpr int column_threads = 64;

template <class Fold>
__global__ void __launch_bounds__(column_threads) fold_columns_direct(ColumnPass<Fold> p) {
  using Stored = typename Fold::Stored;
  const int value = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (value >= p.values) return;
  const int y = p.top + static_cast<int>(blockIdx.y) * window_block;
  const int width = p.window.width();
  const int first = y - p.window.radius, count = window_block + width - 1;
  Stored rows[2 * window_block - 2];
  if (first >= p.axis.low && first + count <= p.axis.high) {
    const char* row = reinterpret_cast<const char*>(p.from.row(first) + value);
#pragma unroll
    for (int k = 0; k < 2 * window_block - 2; ++k, row += p.from.pitch_bytes)
      rows[k] = k < count ? load_cached(reinterpret_cast<const Stored*>(row)) : Stored{};
  } else {
#pragma unroll
    for (int k = 0; k < 2 * window_block - 2; ++k)
      rows[k] = k < count ? p.load(value, first + k) : Stored{};
  }
  typename Fold::State values[2 * window_block - 2], sums[window_block];
#pragma unroll
  for (int k = 0; k < 2 * window_block - 2; ++k) values[k] = p.fold.load(rows[k]);
  fold_direct_group(p.fold, width, values, sums);
  Stored results[window_block];
#pragma unroll
  for (int j = 0; j < window_block; ++j) results[j] = p.fold.store(sums[j]);
  p.to.store_column(value, y, p.top, p.bottom, results);
}

// A thread goes down its column and reads every row twice: when the window's end reaches it, from
// memory, and when its begin does, out of the cache. Rows are fetched a block ahead. Totals of the
// blocks between lie in shared memory.
template <class Fold>
__global__ void __launch_bounds__(column_threads) fold_columns_streaming(ColumnPass<Fold> p) {
  using State = typename Fold::State;
  using Stored = typename Fold::Stored;
  extern __shared__ double shared_memory[];
  State* totals = reinterpret_cast<State*>(shared_memory) + threadIdx.x;
  const int value = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (value >= p.values) return;
  const int radius = p.window.radius, reach = 2 * radius, span = p.window.span();
  const int begin = block_start(p.top - radius) + static_cast<int>(blockIdx.y) * p.chunk;
  const int end = min(begin + p.chunk, p.bottom - radius);
  if (begin >= end) return;

  Stored entering[window_block], leaving[window_block], results[window_block];
  WindowColumn<Fold, column_threads> column(p.fold, p.window, totals);
  for (int k = 1; k < span; ++k) {
    p.load_rows(value, begin + k * window_block, entering);
    column.begin_block(k, entering);
  }
  for (int k = 0; k < p.window.rest(); ++k)
    column.begin_end(p.load(value, begin + span * window_block + k));

  p.load_rows(value, begin + reach, entering);
  p.load_rows(value, begin, leaving);
  for (int group = begin; group < end; group += window_block) {
    Stored next_entering[window_block], next_leaving[window_block];
    if (group + window_block < end) {
      p.load_rows(value, group + window_block + reach, next_entering);
      p.load_rows(value, group + window_block, next_leaving);
    } else {
#pragma unroll
      for (int j = 0; j < window_block; ++j) next_entering[j] = next_leaving[j] = Stored{};
    }
    column.slide(leaving, entering, results);
    p.to.store_column(value, group + radius, p.top, p.bottom, results);
#pragma unroll
    for (int j = 0; j < window_block; ++j) {
      entering[j] = next_entering[j];
      leaving[j] = next_leaving[j];
    }
  }
}

// A part of a row in shared memory. A thread makes 16 pixels of one channel; a pixel's space after
// each block keeps neighbouring threads in different banks.
template <class Fold>
struct RowPass {
  using Stored = typename Fold::Stored;
  Fold fold;
  Window window;
  StoredRows<Stored> from, to;
  BorderAxis axis;
  int left, right, top;
  int tiles;  ///< Of a row. Blocks go along a row first: neighbours share pixels.
};

inline constexpr int row_threads = 128;

template <int N>
__host__ __device__ inline int tile_blocks(const Window& window) {
  return row_threads / N + (window.is_direct() ? 1 : window.span() + 1);
}
template <int N>
__device__ constexpr int tile_slot(int position) {
  return (position + (position >> 4)) * N;
}
/// The same of a block's first pixel: from there on places are constants.
template <int N>
__device__ inline int tile_block_slot(int block) {
  return block * ((window_block + 1) * N);
}

template <class Fold, int N>
__device__ inline void fold_tile_direct(const RowPass<Fold>& p, const typename Fold::Stored* tile,
                                        int block, typename Fold::Stored (&out)[window_block]) {
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

/// Into shared memory: a copy that is under way, where there are copies of that size.
template <class Packed>
__device__ inline void fetch_texel(void* to, const Packed* from) {
  if constexpr (sizeof(Packed) >= 4)
    __pipeline_memcpy_async(to, from, sizeof(Packed));
  else
    *static_cast<Packed*>(to) = load_cached(from);
}

template <class Fold, int N>
__device__ inline void fetch_tile(const RowPass<Fold>& p, int y, int first, int pixels,
                                  typename Fold::Stored* tile) {
  using Packed = PackedTexel<typename Fold::Stored, N>;
  const int thread = static_cast<int>(threadIdx.x);
  const auto* row = reinterpret_cast<const Packed*>(p.from.row(y));
  if (first >= p.axis.low && first + pixels <= p.axis.high) {
    const Packed* from = row + (first - p.from.left);
#pragma unroll 5
    for (int i = thread; i < pixels; i += row_threads)
      fetch_texel(tile + tile_slot<N>(i), from + i);
  } else {
    for (int i = thread; i < pixels; i += row_threads) {
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

/// All of a block's threads call it. @param tile, totals from the thread's channel on: the totals
/// of block b at totals[b * N].
template <class Fold, int N>
__device__ inline void fold_tile_blocks(const RowPass<Fold>& p, const typename Fold::Stored* tile,
                                        typename Fold::State* totals, int block,
                                        typename Fold::Stored (&out)[window_block]) {
  using State = typename Fold::State;
  const Fold& fold = p.fold;
  const int span = p.window.span(), rest = p.window.rest();
  typename Fold::Stored leaving[window_block];
#pragma unroll
  for (int j = 0; j < window_block; ++j) leaving[j] = tile[tile_block_slot<N>(block) + j * N];
  State total = fold.neutral();
#pragma unroll
  for (int j = 0; j < window_block; ++j) total = fold.join(total, fold.load(leaving[j]));
  totals[block * N] = total;
  for (int b = block + row_threads / N; b < tile_blocks<N>(p.window); b += row_threads / N) {
    total = fold.neutral();
#pragma unroll
    for (int j = 0; j < window_block; ++j)
      total = fold.join(total, fold.load(tile[tile_block_slot<N>(b) + j * N]));
    totals[b * N] = total;
  }
  State suffixes[window_block];
  fold_suffixes(fold, leaving, suffixes);
  __syncthreads();
  State middle = fold.neutral();
  for (int k = 1; k < span; ++k) middle = fold.join(middle, totals[(block + k) * N]);
  const int entering = tile_block_slot<N>(block + span);
  const typename Fold::Stored* in_block = tile + entering + rest * N;
  const typename Fold::Stored* in_next = in_block + N;
  State prefix = fold.neutral();
  for (int k = 0; k < rest; ++k) prefix = fold.join(prefix, fold.load(tile[entering + k * N]));
#pragma unroll
  for (int j = 0; j < window_block; ++j) {
    if (ends_at(rest, j)) {
      middle = fold.join(middle, prefix);
      prefix = fold.neutral();
    }
    prefix = fold.join(prefix, fold.load((ends_after(rest, j) ? in_next : in_block)[j * N]));
    out[j] = fold.store(fold.join(fold.join(suffixes[j], middle), prefix));
  }
}

// Memory is far: many blocks on a multiprocessor matter more than registers, but where a direct
// window's values would not fit.
template <class Fold, int N, bool is_direct>
__global__ void __launch_bounds__(row_threads, is_direct ? 4 : 8)
    fold_rows_in_tiles(RowPass<Fold> p) {
  using State = typename Fold::State;
  using Stored = typename Fold::Stored;
  using Packed = PackedTexel<Stored, N>;
  constexpr int groups = row_threads / N;
  extern __shared__ double shared_memory[];
  const int blocks = tile_blocks<N>(p.window);
  State* totals = reinterpret_cast<State*>(shared_memory);
  Stored* tile = reinterpret_cast<Stored*>(shared_memory + blocks * N);
  const int thread = static_cast<int>(threadIdx.x);
  const int line = static_cast<int>(blockIdx.x) / p.tiles;
  const int y = p.top + line;
  const int first = block_start(p.left - p.window.radius) +
                    (static_cast<int>(blockIdx.x) - line * p.tiles) * groups * window_block;
  fetch_tile<Fold, N>(p, y, first, blocks * window_block, tile);
  __syncthreads();

  const int block = thread / N, channel = thread % N;
  Stored out[window_block];
  if constexpr (is_direct)
    fold_tile_direct<Fold, N>(p, tile + channel, block, out);
  else
    fold_tile_blocks<Fold, N>(p, tile + channel, totals + channel, block, out);
  __syncthreads();
#pragma unroll
  for (int j = 0; j < window_block; ++j) tile[tile_block_slot<N>(block) + j * N + channel] = out[j];
  __syncthreads();
  auto* result = reinterpret_cast<Packed*>(p.to.row(y));
  const int x = first + thread + p.window.radius;
#pragma unroll
  for (int k = 0; k < groups * window_block / row_threads; ++k)
    if (x + k * row_threads >= p.left && x + k * row_threads < p.right)
      store_streaming(result + (x - p.to.left) + k * row_threads,
                      *reinterpret_cast<const Packed*>(tile + tile_slot<N>(thread) +
                                                       tile_slot<N>(k * row_threads)));
}

template <class Fold, int N>
void fold_rows_of(CudaQueue& card, const char* name, RowPass<Fold> p, int rows) {
  constexpr int pixels = row_threads / N * window_block;
  const int length = p.right - p.window.radius - block_start(p.left - p.window.radius);
  p.tiles = (length + pixels - 1) / pixels;
  const auto grid = static_cast<unsigned>(rows) * static_cast<unsigned>(p.tiles);
  const auto blocks = static_cast<std::size_t>(tile_blocks<N>(p.window));
  const std::size_t bytes = blocks * N * (sizeof(double) + 17 * sizeof(typename Fold::Stored));
  if (p.window.is_direct())
    fold_rows_in_tiles<Fold, N, true><<<grid, row_threads, bytes, card.stream()>>>(p);
  else
    fold_rows_in_tiles<Fold, N, false><<<grid, row_threads, bytes, card.stream()>>>(p);
  check_launch(name);
}

}  // namespace detail

/// Queues target(x, y) = the fold of source(x, y - radius) ... source(x, y + radius), for frames of
/// one format whose columns are the same. @throws DeviceError.
template <class Fold>
void fold_columns_on_card(CudaQueue& card, const char* name, const Fold& fold, const Window& window,
                          const BorderAxis& axis, const Frame& source, const Frame& target) {
  using Stored = typename Fold::Stored;
  const Rect& t = target.region();
  if (t.empty()) return;
  const int values = t.width * target.format().stored_channels();
  detail::ColumnPass<Fold> p{fold,
                             window,
                             StoredRows<Stored>(source),
                             StoredRows<Stored>(target),
                             axis,
                             t.y,
                             t.bottom(),
                             values,
                             window_block};
  const int threads = detail::column_threads;
  const auto columns = static_cast<unsigned>((values + threads - 1) / threads);
  if (window.is_direct()) {
    const dim3 grid(columns, static_cast<unsigned>((t.height + window_block - 1) / window_block));
    detail::fold_columns_direct<Fold><<<grid, threads, 0, card.stream()>>>(p);
    return check_launch(name);
  }
  if (window.span() > detail::widest_span)
    return fold_wide_on_card<Fold, false>(card, name, fold, window, axis, source, target);
  if (fold_ring_on_card(card, name, fold, window, axis, source, target)) return;
  // What all threads together have in their windows must stay in the second-level cache, or rows
  // are read from memory twice; short chunks would read many rows that their neighbours read too.
  constexpr std::int64_t cached_bytes = 24 << 20;
  const std::int64_t held =
      std::int64_t{values} * (window.width() + 32) * static_cast<std::int64_t>(sizeof(Stored));
  const int length = t.bottom() - window.radius - block_start(t.y - window.radius);
  const int most = std::max(1, length / std::max(4 * window_block, 2 * window.width()));
  const int chunks = static_cast<int>(std::clamp<std::int64_t>(cached_bytes / held, 1, most));
  p.chunk = ((length + chunks - 1) / chunks + window_block - 1) / window_block * window_block;
  const dim3 grid(columns, static_cast<unsigned>((length + p.chunk - 1) / p.chunk));
  const std::size_t bytes = static_cast<std::size_t>(window.span() * threads) * sizeof(double);
  detail::fold_columns_streaming<Fold><<<grid, threads, bytes, card.stream()>>>(p);
  check_launch(name);
}

/// Queues target(x, y) = the fold of source(x - radius, y) ... source(x + radius, y), for frames of
/// one format whose rows are the same. @throws DeviceError.
template <class Fold>
void fold_rows_on_card(CudaQueue& card, const char* name, const Fold& fold, const Window& window,
                       const BorderAxis& axis, const Frame& source, const Frame& target) {
  using Stored = typename Fold::Stored;
  const Rect& t = target.region();
  if (t.empty()) return;
  if (!window.is_direct() && window.span() > detail::widest_span)
    return fold_wide_on_card<Fold, true>(card, name, fold, window, axis, source, target);
  const detail::RowPass<Fold> p{
      fold, window, StoredRows<Stored>(source), StoredRows<Stored>(target), axis, t.x, t.right(),
      t.y,  1};
  switch (target.format().stored_channels()) {
    case 1:
      return detail::fold_rows_of<Fold, 1>(card, name, p, t.height);
    case 2:
      return detail::fold_rows_of<Fold, 2>(card, name, p, t.height);
    default:
      return detail::fold_rows_of<Fold, 4>(card, name, p, t.height);
  }
}

}  // namespace cuimg

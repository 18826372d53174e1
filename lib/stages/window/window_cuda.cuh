// SPDX-License-Identifier: Apache-2.0
// Sliding windows on a card. kernels/stencil/window.h defines the result.
#pragma once

#include <algorithm>

#include "kernels/math/dispatch.h"
#include "kernels/stencil/window.h"
#include "kernels/texture/border.h"
#include "stages/window/window_column.cuh"
#include "stages/window/window_deep_ring.cuh"
#include "stages/window/window_ring.cuh"
#include "stages/window/window_row_tiles.cuh"
#include "stages/window/window_wide.cuh"

namespace cuimg {
namespace detail {

// The largest windows that are folded in one pass. Wider ones use tables in memory.
inline constexpr int widest_span = most_single_blocks;

// Adjacent columns: a thread processes one value of every row, of any channel.
template <class Fold, class Memory>
struct ColumnPass {
  using Stored = typename Fold::Stored;
  Fold fold;
  Window window;
  StoredRows<Stored> from;
  ValueTarget<Stored, Memory> to;
  BorderAxis axis;
  int top, bottom, values;
  int chunk;  ///< Rows that a thread produces, a multiple of 16.

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

template <class Fold, class Memory>
__global__ void __launch_bounds__(column_threads) fold_columns_direct(ColumnPass<Fold, Memory> p) {
  using Stored = typename Fold::Stored;
  const int place = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  // For an array all lanes of a warp store together.
  if (std::is_same_v<Memory, RowMemory> && place >= p.values) return;
  const int value = min(place, p.values - 1);
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
  p.to.store_column(place, y, p.values, p.top, p.bottom, results);
}

// A thread moves down its column and reads every row twice: from memory when it enters the window,
// and from the cache when it leaves the window. Rows are fetched one block ahead. Totals of the
// blocks between the window's ends are in shared memory.
template <class Fold, class Memory>
__global__ void __launch_bounds__(column_threads)
    fold_columns_streaming(ColumnPass<Fold, Memory> p) {
  using State = typename Fold::State;
  using Stored = typename Fold::Stored;
  extern __shared__ double shared_memory[];
  State* totals = reinterpret_cast<State*>(shared_memory) + threadIdx.x;
  const int place = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  // For an array all lanes of a warp store together.
  if (std::is_same_v<Memory, RowMemory> && place >= p.values) return;
  const int value = min(place, p.values - 1);
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
    p.to.store_column(place, group + radius, p.values, p.top, p.bottom, results);
#pragma unroll
    for (int j = 0; j < window_block; ++j) {
      entering[j] = next_entering[j];
      leaving[j] = next_leaving[j];
    }
  }
}

template <class Fold, class Memory>
void fold_column_blocks(CudaQueue& card, const char* name, const Fold& fold, const Window& window,
                        const BorderAxis& axis, const Frame& source, const Frame& target,
                        const ValueTarget<typename Fold::Stored, Memory>& to) {
  using Stored = typename Fold::Stored;
  const Rect& t = target.region();
  const int values = t.width * target.format().stored_channels();
  ColumnPass<Fold, Memory> p{
      fold, window, StoredRows<Stored>(source), to, axis, t.y, t.bottom(), values, window_block};
  constexpr int threads = column_threads;
  const auto columns = static_cast<unsigned>((values + threads - 1) / threads);
  if (window.is_direct()) {
    const dim3 grid(columns, static_cast<unsigned>((t.height + window_block - 1) / window_block));
    fold_columns_direct<<<grid, threads, 0, card.stream()>>>(p);
    return check_launch(name);
  }
  // The rows in all threads' windows must fit into the L2 cache, otherwise rows are read from
  // memory twice. But short chunks read many rows that neighbouring chunks also read.
  const auto cached_bytes = static_cast<std::int64_t>(card.cache_bytes() / 5 * 2);
  const std::int64_t held =
      std::int64_t{values} * (window.width() + 32) * static_cast<std::int64_t>(sizeof(Stored));
  const int length = t.bottom() - window.radius - block_start(t.y - window.radius);
  const int most = std::max(1, length / std::max(4 * window_block, 2 * window.width()));
  const int chunks = static_cast<int>(std::clamp<std::int64_t>(cached_bytes / held, 1, most));
  p.chunk = ((length + chunks - 1) / chunks + window_block - 1) / window_block * window_block;
  const dim3 grid(columns, static_cast<unsigned>((length + p.chunk - 1) / p.chunk));
  const std::size_t bytes = static_cast<std::size_t>(window.span() * threads) * sizeof(double);
  fold_columns_streaming<<<grid, threads, bytes, card.stream()>>>(p);
  check_launch(name);
}

// @returns false, having done nothing, if a window's rows do not fit into shared memory.
template <class Fold, class Memory>
bool fold_in_rings(CudaQueue& card, const char* name, const Fold& fold, const Window& window,
                   const BorderAxis& axis, const Frame& source, const Frame& target,
                   const ValueTarget<typename Fold::Stored, Memory>& to) {
  using Stored = typename Fold::Stored;
  if constexpr (sizeof(Stored) == 4) {
    const Rect& t = target.region();
    const RingPass<Fold, Memory> pass{fold,
                                      window,
                                      StoredRows<Stored>(source),
                                      to,
                                      axis,
                                      t.y,
                                      t.bottom(),
                                      t.width * target.format().stored_channels(),
                                      window_block};
    if (!pass.from.is_aligned(16)) return false;
    // A warp often waits for its own sums; other warps must be there to use that time.
    constexpr int warps_wanted = 8;
    return (resident_rings(card, pass.shared_bytes()) >= warps_wanted &&
            fold_ring(card, name, pass)) ||
           fold_deep_ring(card, name, pass) || fold_ring(card, name, pass);
  }
  return false;
}

}  // namespace detail

/// Queues target(x, y) = the fold of source(x, y - radius) ... source(x, y + radius), for frames of
/// the same format and with the same columns. @throws DeviceError.
template <class Fold>
void fold_columns_on_card(CudaQueue& card, const char* name, const Fold& fold, const Window& window,
                          const BorderAxis& axis, const Frame& source, const Frame& target) {
  const Rect& t = target.region();
  if (t.empty()) return;
  if (!window.is_direct() && window.span() > detail::widest_span)
    return fold_wide_on_card<Fold, false>(card, name, fold, window, axis, source, target);
  with_value_target<typename Fold::Stored>(target, [&](const auto& to) {
    if (window.is_direct() ||
        !detail::fold_in_rings(card, name, fold, window, axis, source, target, to))
      detail::fold_column_blocks(card, name, fold, window, axis, source, target, to);
  });
}

/// Queues target(x, y) = the fold of source(x - radius, y) ... source(x + radius, y), for frames of
/// the same format and with the same rows. @throws DeviceError.
template <class Fold>
void fold_rows_on_card(CudaQueue& card, const char* name, const Fold& fold, const Window& window,
                       const BorderAxis& axis, const Frame& source, const Frame& target) {
  using Stored = typename Fold::Stored;
  const Rect& t = target.region();
  if (t.empty()) return;
  if (!window.is_direct() && window.span() > detail::widest_span)
    return fold_wide_on_card<Fold, true>(card, name, fold, window, axis, source, target);
  with_stored_channels(target.format().stored_channels(), [&](auto n) {
    with_value_target<typename Fold::Stored>(target, [&](const auto& to) {
      using Memory = std::decay_t<decltype(to.memory)>;
      detail::fold_rows_of<Fold, n()>(
          card, name,
          detail::RowPass<Fold, Memory>{fold, window, StoredRows<Stored>(source), to, axis, t.x,
                                        t.right(), t.y, t.bottom(), 1});
    });
  });
}

}  // namespace cuimg

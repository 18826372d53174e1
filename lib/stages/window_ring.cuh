// SPDX-License-Identifier: Apache-2.0
// Sliding windows down the columns of a card's frame, every row read from memory once: what a
// thread's window holds lies in a ring in shared memory, which copies fill some blocks ahead.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <algorithm>

#include "stages/window_wide.cuh"

namespace cuimg {
namespace detail {

inline constexpr int ring_threads = 32;  // a thread looks at its own column only: no barriers
inline constexpr int ring_ahead = 3;     // blocks of rows under way: memory is far

/// Of 4-byte values, which copies into shared memory can take one at a time.
template <class Fold>
struct RingPass {
  using Stored = typename Fold::Stored;
  static_assert(sizeof(Stored) == 4);
  Fold fold;
  Window window;
  StoredRows<Stored> from, to;
  BorderAxis axis;
  int top, bottom, values;
  int chunk;  ///< Rows that one thread makes, a multiple of 16.

  /// Blocks of rows after a window's first that its last 16 places reach into.
  __host__ __device__ int reached() const {
    return (2 * window.radius + window_block - 1) / window_block;
  }
  __host__ __device__ int ring_blocks() const { return reached() + ring_ahead + 1; }
  std::size_t shared_bytes() const {
    const auto totals = static_cast<std::size_t>(window.span()) * sizeof(double);
    const auto rows = static_cast<std::size_t>(ring_blocks()) * window_block * sizeof(Stored);
    return ring_threads * (totals + rows);
  }

  /// Begins to copy 16 rows from `first` on into the ring.
  __device__ void fetch(int value, int first, Stored* ring) const {
    if (first >= axis.low && first + window_block <= axis.high) {
      const char* row = reinterpret_cast<const char*>(from.row(first) + value);
#pragma unroll
      for (int k = 0; k < window_block; ++k, row += from.pitch_bytes)
        __pipeline_memcpy_async(ring + k * ring_threads, row, sizeof(Stored));
      return;
    }
    for (int k = 0; k < window_block; ++k) {
      const int row = border_index(axis, first + k);
      if (row == BorderAxis::nothing)
        ring[k * ring_threads] = Stored{};
      else
        __pipeline_memcpy_async(ring + k * ring_threads, from.row(row) + value, sizeof(Stored));
    }
  }
};

template <class Fold>
__global__ void __launch_bounds__(ring_threads) fold_columns_ring(RingPass<Fold> p) {
  using State = typename Fold::State;
  using Stored = typename Fold::Stored;
  constexpr int block_slots = window_block * ring_threads;
  extern __shared__ double shared_memory[];
  const Fold& fold = p.fold;
  const int span = p.window.span(), rest = p.window.rest(), blocks = p.ring_blocks();
  State* totals = reinterpret_cast<State*>(shared_memory) + threadIdx.x;
  Stored* ring = reinterpret_cast<Stored*>(shared_memory + span * ring_threads) + threadIdx.x;
  const int value = static_cast<int>(blockIdx.x * ring_threads + threadIdx.x);
  if (value >= p.values) return;
  const int radius = p.window.radius;
  const int begin = block_start(p.top - radius) + static_cast<int>(blockIdx.y) * p.chunk;
  const int end = min(begin + p.chunk, p.bottom - radius);
  if (begin >= end) return;
  const int last = end + 2 * radius;  // rows from here on are not wanted

  int fetched = begin, fetch_slot = 0;
  const auto fetch_next = [&] {
    if (fetched < last) p.fetch(value, fetched, ring + fetch_slot * block_slots);
    __pipeline_commit();
    fetched += window_block;
    fetch_slot = fetch_slot + 1 == blocks ? 0 : fetch_slot + 1;
  };
  for (int k = 0; k < blocks - 1; ++k) fetch_next();
  __pipeline_wait_prior(ring_ahead - 1);
  for (int k = 1; k < span; ++k) {
    State total = fold.neutral();
#pragma unroll
    for (int j = 0; j < window_block; ++j)
      total = fold.join(total, fold.load(ring[k * block_slots + j * ring_threads]));
    totals[(k - 1) * ring_threads] = total;
  }
  State prefix = fold.neutral();
  for (int k = 0; k < rest; ++k)
    prefix = fold.join(prefix, fold.load(ring[span * block_slots + k * ring_threads]));

  int oldest = 0, leaving_slot = 0, entering_slot = span;
  for (int group = begin; group < end; group += window_block) {
    fetch_next();
    __pipeline_wait_prior(ring_ahead);
    const int next_slot = entering_slot + 1 == blocks ? 0 : entering_slot + 1;
    Stored leaving[window_block], entering[window_block];
#pragma unroll
    for (int j = 0; j < window_block; ++j)
      leaving[j] = ring[leaving_slot * block_slots + j * ring_threads];
#pragma unroll
    for (int j = 0; j < window_block; ++j) {
      const int at = rest + j;
      entering[j] =
          ring[at < window_block ? entering_slot * block_slots + at * ring_threads
                                 : next_slot * block_slots + (at - window_block) * ring_threads];
    }
    State middle = fold.neutral();
    int slot = oldest;
    for (int k = 0; k < span - 1; ++k) {
      middle = fold.join(middle, totals[slot * ring_threads]);
      slot = slot + 1 == span ? 0 : slot + 1;
    }
    State suffixes[window_block];
    fold_suffixes(fold, leaving, suffixes);
    State total = fold.neutral();
    const int y = group + radius;
    const bool all_wanted = y >= p.top && y + window_block <= p.bottom;
#pragma unroll
    for (int j = 0; j < window_block; ++j) {
      if (j + rest == window_block) {  // a block ends here
        total = prefix;
        middle = fold.join(middle, prefix);
        prefix = fold.neutral();
      }
      prefix = fold.join(prefix, fold.load(entering[j]));
      if (all_wanted || (y + j >= p.top && y + j < p.bottom))
        p.to.store(value, y + j, fold.store(fold.join(fold.join(suffixes[j], middle), prefix)));
    }
    if (rest == 0) {
      total = prefix;
      prefix = fold.neutral();
    }
    totals[slot * ring_threads] = total;
    oldest = oldest + 1 == span ? 0 : oldest + 1;
    leaving_slot = leaving_slot + 1 == blocks ? 0 : leaving_slot + 1;
    entering_slot = next_slot;
  }
}

}  // namespace detail

/// Folds down the columns where a window's rows fit shared memory. @returns false, having done
/// nothing, where they do not. @throws DeviceError.
template <class Fold>
bool fold_ring_on_card(CudaQueue& card, const char* name, const Fold& fold, const Window& window,
                       const BorderAxis& axis, const Frame& source, const Frame& target) {
  using Stored = typename Fold::Stored;
  if constexpr (sizeof(Stored) != 4) {
    return false;
  } else {
    const Rect& t = target.region();
    const int values = t.width * target.format().stored_channels();
    detail::RingPass<Fold> p{fold,
                             window,
                             StoredRows<Stored>(source),
                             StoredRows<Stored>(target),
                             axis,
                             t.y,
                             t.bottom(),
                             values,
                             window_block};
    constexpr std::size_t shared_without_asking = 48 * 1024, shared_of_all = 224 * 1024;
    const std::size_t bytes = p.shared_bytes();
    if (bytes > shared_without_asking) return false;
    // Long chunks read few rows that their neighbours read too; all should run at once.
    const int columns = (values + detail::ring_threads - 1) / detail::ring_threads;
    const int resident = std::min(16, static_cast<int>(shared_of_all / (bytes + 1024)));
    const int length = t.bottom() - window.radius - block_start(t.y - window.radius);
    const int most = std::max(1, length / std::max(4 * window_block, 2 * window.width()));
    const int chunks = std::clamp(card.multiprocessors() * resident / columns, 1, most);
    p.chunk = ((length + chunks - 1) / chunks + window_block - 1) / window_block * window_block;
    const dim3 grid(static_cast<unsigned>(columns),
                    static_cast<unsigned>((length + p.chunk - 1) / p.chunk));
    detail::fold_columns_ring<Fold><<<grid, detail::ring_threads, bytes, card.stream()>>>(p);
    check_launch(name);
    return true;
  }
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Sliding windows down the columns of a frame on a card, which read every row from memory once. The
// values in a thread's window are in a ring in shared memory, which is filled some blocks ahead.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <algorithm>

#include "device/cuda/cuda_limits.h"
#include "stages/window/window_column.cuh"

namespace cuimg::detail {

inline constexpr int ring_threads = 32;  // a warp, which needs no barriers
inline constexpr int ring_ahead = 2;     // blocks of rows that are being loaded: memory is slow

/// For 4-byte values: each copy into shared memory takes four adjacent ones.
template <class Fold, class Memory>
struct RingPass {
  using Stored = typename Fold::Stored;
  static_assert(sizeof(Stored) == 4);
  Fold fold;
  Window window;
  StoredRows<Stored> from;
  ValueTarget<Stored, Memory> to;
  BorderAxis axis;
  int top, bottom, values;
  int chunk;  ///< Rows that a thread produces, a multiple of 16.

  /// How many blocks after a window's first one its last 16 values reach.
  __host__ __device__ int reached() const {
    return (2 * window.radius + window_block - 1) / window_block;
  }
  __host__ __device__ int ring_blocks() const { return reached() + ring_ahead + 1; }
  std::size_t shared_bytes() const {
    const auto totals = static_cast<std::size_t>(window.span()) * sizeof(double);
    const auto rows = static_cast<std::size_t>(ring_blocks()) * window_block * sizeof(Stored);
    return ring_threads * (totals + rows);
  }

  /// Begins to copy 16 rows from `first` on into a block of the ring: each lane copies four values
  /// of a quarter of the rows.
  __device__ void fetch(int lane, int first, Stored* block) const {
    constexpr int each = 4, across = ring_threads / each, down = ring_threads / across;
    const int column = lane % across * each, begin = lane / across;
    const int value = static_cast<int>(blockIdx.x) * ring_threads + column;
    Stored* to = block + begin * ring_threads + column;
    if (value + each <= values && first >= axis.low && first + window_block <= axis.high) {
      const char* row = reinterpret_cast<const char*>(from.row(first + begin) + value);
#pragma unroll
      for (int k = 0; k < window_block; k += down, row += down * from.pitch_bytes)
        __pipeline_memcpy_async(to + k * ring_threads, row, each * sizeof(Stored));
      return;
    }
    const int missing = max(0, value + each - values);
    if (missing >= each) return;
    for (int k = 0; k < window_block; k += down) {
      const int row = border_index(axis, first + begin + k);
      if (row != BorderAxis::nothing)
        __pipeline_memcpy_async(to + k * ring_threads, from.row(row) + value, each * sizeof(Stored),
                                static_cast<std::size_t>(missing) * sizeof(Stored));
      else
        for (int i = 0; i < each; ++i) to[k * ring_threads + i] = Stored{};
    }
  }
};

template <class Fold, class Memory>
__global__ void __launch_bounds__(ring_threads) fold_columns_ring(RingPass<Fold, Memory> p) {
  using State = typename Fold::State;
  using Stored = typename Fold::Stored;
  constexpr int block_slots = window_block * ring_threads;
  extern __shared__ double shared_memory[];
  const int span = p.window.span(), rest = p.window.rest(), blocks = p.ring_blocks();
  State* totals = reinterpret_cast<State*>(shared_memory) + threadIdx.x;
  Stored* blocks_of_ring = reinterpret_cast<Stored*>(shared_memory + span * ring_threads);
  const Stored* ring = blocks_of_ring + threadIdx.x;
  const int value = static_cast<int>(blockIdx.x * ring_threads + threadIdx.x);
  const int radius = p.window.radius;
  const int begin = block_start(p.top - radius) + static_cast<int>(blockIdx.y) * p.chunk;
  const int end = min(begin + p.chunk, p.bottom - radius);
  if (begin >= end) return;
  const int last = end + 2 * radius;  // rows from here on are not needed

  int fetched = begin, fetch_slot = 0;
  const auto fetch_next = [&] {
    if (fetched < last)
      p.fetch(static_cast<int>(threadIdx.x), fetched, blocks_of_ring + fetch_slot * block_slots);
    __pipeline_commit();
    fetched += window_block;
    fetch_slot = fetch_slot + 1 == blocks ? 0 : fetch_slot + 1;
  };
  for (int k = 0; k < blocks - 1; ++k) fetch_next();
  __pipeline_wait_prior(ring_ahead - 1);
  __syncwarp();
  WindowColumn<Fold, ring_threads> column(p.fold, p.window, totals);
  const auto read_block = [&](int slot, Stored(&values)[window_block]) {
#pragma unroll
    for (int j = 0; j < window_block; ++j) values[j] = ring[slot * block_slots + j * ring_threads];
  };
  Stored leaving[window_block], entering[window_block], results[window_block];
  for (int k = 1; k < span; ++k) {
    read_block(k, entering);
    column.begin_block(k, entering);
  }
  for (int k = 0; k < rest; ++k) column.begin_end(ring[span * block_slots + k * ring_threads]);

  int leaving_slot = 0, entering_slot = span;
  for (int group = begin; group < end; group += window_block) {
    __syncwarp();  // the block that is filled next has been read
    fetch_next();
    __pipeline_wait_prior(ring_ahead);
    __syncwarp();
    const int next_slot = entering_slot + 1 == blocks ? 0 : entering_slot + 1;
    const Stored* in_block = ring + entering_slot * block_slots + rest * ring_threads;
    const Stored* in_next = ring + (next_slot - 1) * block_slots + rest * ring_threads;
    read_block(leaving_slot, leaving);
#pragma unroll
    for (int j = 0; j < window_block; ++j)
      entering[j] = (ends_after(rest, j) ? in_next : in_block)[j * ring_threads];
    column.slide(leaving, entering, results);
    p.to.store_column(value, group + radius, p.values, p.top, p.bottom, results);
    leaving_slot = leaving_slot + 1 == blocks ? 0 : leaving_slot + 1;
    entering_slot = next_slot;
  }
}

/// How many blocks fit on a multiprocessor.
inline int resident_rings(const CudaQueue& card, std::size_t bytes) {
  return std::min(16, static_cast<int>(card.shared_bytes() / (bytes + 1024)));
}

/// The columns of a frame, and the height of their chunks: high chunks share few rows with their
/// neighbours, but all chunks should run at the same time. @param bytes of a block's shared memory.
template <class Fold, class Memory>
dim3 ring_grid(const CudaQueue& card, RingPass<Fold, Memory>& p, std::size_t bytes) {
  const int columns = (p.values + ring_threads - 1) / ring_threads;
  const int resident = resident_rings(card, bytes);
  const int length = p.bottom - p.window.radius - block_start(p.top - p.window.radius);
  const int most = std::max(1, length / std::max(4 * window_block, 2 * p.window.width()));
  const int chunks = std::clamp(card.multiprocessors() * resident / columns, 1, most);
  p.chunk = ((length + chunks - 1) / chunks + window_block - 1) / window_block * window_block;
  return dim3(static_cast<unsigned>(columns),
              static_cast<unsigned>((length + p.chunk - 1) / p.chunk));
}

/// Folds down the columns if a window's rows fit into the shared memory of any card.
/// @returns false, having done nothing, if they do not. @throws DeviceError.
template <class Fold, class Memory>
bool fold_ring(CudaQueue& card, const char* name, RingPass<Fold, Memory> p) {
  const std::size_t bytes = p.shared_bytes();
  if (bytes > shared_bytes_without_asking) return false;
  const dim3 grid = ring_grid(card, p, bytes);
  fold_columns_ring<<<grid, ring_threads, bytes, card.stream()>>>(p);
  check_launch(name);
  return true;
}

}  // namespace cuimg::detail

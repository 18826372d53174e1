// SPDX-License-Identifier: Apache-2.0
// Sliding windows down the columns of a frame on a card, for windows so high that shared memory has
// room for the rows of only a few columns: so several warps share the same columns.
#pragma once

#include "stages/window/window_ring.cuh"

namespace cuimg::detail {

inline constexpr int deep_warps = 8;  // each produces every eighth group of 16 rows
inline constexpr int deep_ahead = 1;  // turns whose rows are being loaded

template <class Fold, class Memory>
struct DeepRing {
  using Stored = typename Fold::Stored;
  RingPass<Fold, Memory> pass;

  /// The windows of a turn begin in deep_warps different blocks.
  __host__ __device__ int blocks() const {
    const int needed = (pass.reached() + 2 * deep_warps - 1) / deep_warps;
    return (needed + deep_ahead) * deep_warps;
  }
  /// The totals of the whole blocks between the ends of a turn's windows.
  __host__ __device__ int totals() const { return pass.window.span() - 1 + deep_warps; }
  std::size_t shared_bytes() const {
    const auto rows = static_cast<std::size_t>(blocks()) * window_block * sizeof(Stored);
    return ring_threads * (static_cast<std::size_t>(totals()) * sizeof(double) + rows);
  }
};

template <class Fold, class Memory>
__global__ void __launch_bounds__(deep_warps* ring_threads)
    fold_columns_deep_ring(DeepRing<Fold, Memory> deep) {
  using State = typename Fold::State;
  using Stored = typename Fold::Stored;
  constexpr int block_slots = window_block * ring_threads, turn_rows = deep_warps * window_block;
  extern __shared__ double shared_memory[];
  const RingPass<Fold, Memory>& p = deep.pass;
  const int lane = static_cast<int>(threadIdx.x) % ring_threads;
  const int warp = static_cast<int>(threadIdx.x) / ring_threads;
  const int span = p.window.span(), rest = p.window.rest(), radius = p.window.radius;
  const int blocks = deep.blocks(), total_count = deep.totals();
  State* const totals = reinterpret_cast<State*>(shared_memory) + lane;
  Stored* const first_block = reinterpret_cast<Stored*>(shared_memory + total_count * ring_threads);
  const Stored* const ring = first_block + lane;
  const int value = static_cast<int>(blockIdx.x) * ring_threads + lane;
  const int begin = block_start(p.top - radius) + static_cast<int>(blockIdx.y) * p.chunk;
  const int end = min(begin + p.chunk, p.bottom - radius);
  if (begin >= end) return;
  const int last = end + 2 * radius;  // rows from here on are not needed

  // Each warp fetches a block of a turn.
  int fetched = begin + warp * window_block, fetch_slot = warp;
  const auto fetch_turn = [&] {
    if (fetched < last) p.fetch(lane, fetched, first_block + fetch_slot * block_slots);
    __pipeline_commit();
    fetched += turn_rows;
    fetch_slot = moved_on(fetch_slot, deep_warps, blocks);
  };
  const auto total_of = [&](int slot) {
    State total = p.fold.neutral();
#pragma unroll
    for (int j = 0; j < window_block; ++j)
      total = p.fold.join(total, p.fold.load(ring[slot * block_slots + j * ring_threads]));
    return total;
  };
  for (int turn = 1; turn < blocks / deep_warps; ++turn) fetch_turn();
  __pipeline_wait_prior(deep_ahead - 1);
  __syncthreads();
  for (int k = 1 + warp; k < span - 1; k += deep_warps)
    totals[k % total_count * ring_threads] = total_of(k);

  // For the warp's group: the block in which its windows begin, and the total that follows it.
  int leaving_slot = warp, first_total = (1 + warp) % total_count;
  for (int turn = begin; turn < end; turn += turn_rows) {
    __pipeline_wait_prior(deep_ahead - 1);
    __syncthreads();  // the turn's rows have arrived, and the earlier rows have been read
    fetch_turn();
    if (span > 1)
      totals[moved_on(first_total, span - 2, total_count) * ring_threads] =
          total_of(moved_on(leaving_slot, span - 1, blocks));
    __syncthreads();
    const int group = turn + warp * window_block;
    if (group < end) {
      Stored leaving[window_block], results[window_block];
#pragma unroll
      for (int j = 0; j < window_block; ++j)
        leaving[j] = ring[leaving_slot * block_slots + j * ring_threads];
      State suffixes[window_block];
      fold_suffixes(p.fold, leaving, suffixes);
      const int entering_slot = moved_on(leaving_slot, span, blocks);
      const int next_slot = moved_on(entering_slot, 1, blocks);
      const Stored* const entering = ring + entering_slot * block_slots;
      const State prefix = fold_values<ring_threads>(p.fold, entering, rest);
      const State middle =
          fold_totals_of_ring<ring_threads>(p.fold, totals, total_count, first_total, span - 1);
      fold_ends<ring_threads>(p.fold, rest, suffixes, middle, prefix,
                              entering + rest * ring_threads,
                              ring + (next_slot - 1) * block_slots + rest * ring_threads, results);
      p.to.store_column(value, group + radius, p.values, p.top, p.bottom, results);
    }
    leaving_slot = moved_on(leaving_slot, deep_warps, blocks);
    first_total = moved_on(first_total, deep_warps, total_count);
  }
}

/// Folds down the columns if a window's rows fit into the largest shared memory of a block.
/// @returns false, having done nothing, if they do not. @throws DeviceError.
template <class Fold, class Memory>
bool fold_deep_ring(CudaQueue& card, const char* name, RingPass<Fold, Memory> pass) {
  DeepRing<Fold, Memory> deep{pass};
  const std::size_t bytes = deep.shared_bytes();
  if (bytes > shared_bytes_of_block(card)) return false;
  const dim3 grid = ring_grid(card, deep.pass, bytes);
  check(cudaFuncSetAttribute(fold_columns_deep_ring<Fold, Memory>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "cudaFuncSetAttribute");
  fold_columns_deep_ring<<<grid, deep_warps * ring_threads, bytes, card.stream()>>>(deep);
  check_launch(name);
  return true;
}

}  // namespace cuimg::detail

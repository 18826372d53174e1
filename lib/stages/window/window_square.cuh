// SPDX-License-Identifier: Apache-2.0
// Square windows of pixels of four floats on a card, both axes in one pass over memory. A block of
// threads moves down a strip of the picture, 16 rows at a time: it folds the columns of these rows
// in shared memory, and then the rows.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <algorithm>

#include "device/cuda/cuda_limits.h"
#include "stages/warp/border_sampler.h"
#include "stages/window/strip_cuts.h"
#include "stages/window/window_square_folds.cuh"

namespace cuimg {
namespace detail {

template <class Fold>
struct SquarePass {
  Fold fold;
  Window window;
  StoredRows<float> from;
  ValueTarget<float> to;
  BorderAxis columns, rows;
  int right, bottom;     ///< Of the target.
  int first_x, first_y;  ///< Where the first windows begin.
  StripCuts cuts;        ///< At multiples of 16 windows of a column.

  /// Begins to copy 16 rows from `first` on, one per warp; those from `last` on are not needed.
  /// @param width in pixels. @param row_size of the copy, in floats.
  __device__ void fetch(int x, int first, int last, int width, float* block, int row_size) const {
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const int y = first + warp;
    if (warp >= window_block || y >= last) return;
    float* const to_row = block + warp * row_size;
    const int from_y = border_index(rows, y);
    if (from_y != BorderAxis::nothing && x >= columns.low && x + width <= columns.high) {
      const auto* row = reinterpret_cast<const float4*>(from.row(from_y)) + (x - from.left);
      for (int i = lane; i < width; i += 32)
        __pipeline_memcpy_async(to_row + tile_slot<4>(i), row + i, sizeof(float4));
      return;
    }
    for (int i = lane; i < width; i += 32) {
      const int from_x = border_index(columns, x + i);
      float* const pixel = to_row + tile_slot<4>(i);
      if (from_x == BorderAxis::nothing || from_y == BorderAxis::nothing)
        *reinterpret_cast<float4*>(pixel) = float4{};
      else
        __pipeline_memcpy_async(pixel, from.row(from_y) + (from_x - from.left) * 4, sizeof(float4));
    }
  }

  /// All threads of a block call it. @param made results of 16 rows of windows, from row y of the
  /// target on. @param x the target's column of their first pixel. @param first, last rows of the
  /// target that the block produces. @tparam has_registers whether there are enough for the loop's
  /// bounds and for a loop for each kind of memory.
  template <bool has_registers>
  __device__ void store(const float* made, int row_size, int x, int y, int windows, int first,
                        int last) const {
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    // Squares of 16 by 2 fill an array's sectors, which begin at even rows. Otherwise a warp stores
    // the row that it has folded.
    const bool in_squares = to.memory.is_array();
    if (in_squares)
      __syncthreads();
    else
      __syncwarp();
    if (warp >= window_block) return;
    const int row = in_squares ? ((warp & ~1) + (lane >> 4) + ((y - to.top) & 1)) % 16 : warp;
    const int begin = in_squares ? (warp & 1) * 16 + (lane & 15) : lane;
    if (y + row < first || y + row >= last) return;
    const auto put = [&](const auto& memory, int i, int column) {
      memory.store_streaming(column * static_cast<int>(sizeof(float4)), y + row - to.top,
                             *reinterpret_cast<const float4*>(made + row * row_size +
                                                              tile_slot<4>(i + 2 * window.radius)));
    };
    if constexpr (has_registers) {
      const int low = to.left - x, high = min(windows, right - x);
      const auto put_all = [&](const auto& memory) {
        for (int i = begin; i < high; i += 32)
          if (i >= low) put(memory, i, i - low);
      };
      if (in_squares)
        put_all(to.memory.array);
      else
        put_all(to.memory.rows);
    } else {
      for (int i = begin; i < windows; i += 32)
        if (x + i >= to.left && x + i < right) put(to.memory, i, x + i - to.left);
    }
  }
};

// The largest number of states that a thread can keep between groups of rows and still have enough
// registers for the faster loops that store.
constexpr int most_roomy_lag = 18;

template <class Square>
__global__ void __launch_bounds__(Square::threads, Square::resident)
    fold_squares(SquarePass<typename Square::Fold> p) {
  constexpr int block_size = window_block * Square::row_size;
  extern __shared__ double shared_memory[];
  auto* const ring = reinterpret_cast<float*>(shared_memory);
  const int blocks = Square::ring_blocks(p.window), radius = p.window.radius;
  Square square(p.fold, p.window, ring, blocks);

  const int width = Square::windows + 2 * radius;
  const int x = p.first_x + static_cast<int>(blockIdx.x) * Square::windows;
  const int part = static_cast<int>(blockIdx.y);
  const int begin = p.first_y + p.cuts.begin(part);
  const int end = min(p.first_y + p.cuts.begin(part + 1), p.bottom - radius);
  const int first = max(p.to.top, begin + radius), last = end + radius;
  int fetched = begin, fetch_slot = 0;
  const auto fetch_next = [&] {
    p.fetch(x, fetched, end + 2 * radius, width, ring + fetch_slot * block_size, Square::row_size);
    __pipeline_commit();
    fetched += window_block;
    fetch_slot = fetch_slot + 1 == blocks ? 0 : fetch_slot + 1;
  };
  for (int k = 0; k < blocks - 1; ++k) fetch_next();
  __pipeline_wait_prior(0);
  __syncthreads();
  square.begin();
  int slot = 0;
  for (int group = begin; group - Square::lag < end; group += window_block) {
    __pipeline_wait_prior(0);
    __syncthreads();  // the block that is filled next has been stored
    fetch_next();
    square.fold_columns(slot);
    __syncthreads();
    float* const made = ring + slot * block_size;
    square.fold_rows(made);
    p.template store<Square::lag <= most_roomy_lag>(made, Square::row_size, x + radius,
                                                    group - Square::lag + radius, Square::windows,
                                                    first, last);
    slot = slot + 1 == blocks ? 0 : slot + 1;
  }
}

/// @returns false, having done nothing, if a block has too little memory.
template <class Square>
bool fold_squares_of(CudaQueue& card, const char* name, SquarePass<typename Square::Fold> p,
                     const Rect& target) {
  const std::size_t bytes = Square::shared_bytes(p.window);
  if (bytes > shared_bytes_of_block(card)) return false;
  const auto begin_of = [&](int first) {
    const int begin = first - p.window.radius;
    return Square::is_aligned ? block_start(begin) : begin;
  };
  p.first_x = begin_of(target.x);
  p.first_y = begin_of(target.y);
  const int across = p.right - p.window.radius - p.first_x;
  const int length = p.bottom - p.window.radius - p.first_y;
  const int strips = (across + Square::windows - 1) / Square::windows;
  p.cuts =
      cuts_of(strips, length, card.multiprocessors() * Square::resident, window_block,
              p.window.width() + window_block, std::max(4 * window_block, 2 * p.window.width()));
  check(cudaFuncSetAttribute(fold_squares<Square>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes)),
        "cudaFuncSetAttribute");
  const dim3 grid(static_cast<unsigned>(strips), static_cast<unsigned>(p.cuts.parts(length)));
  fold_squares<Square><<<grid, Square::threads, bytes, card.stream()>>>(p);
  check_launch(name);
  return true;
}

template <class Fold, int R = 1>
bool fold_squares_of_radius(CudaQueue& card, const char* name, const SquarePass<Fold>& p,
                            const Rect& target) {
  if constexpr (2 * R + 1 > widest_square)
    return false;
  else if constexpr (2 * R + 1 > widest_direct && !is_unordered<Fold>)
    return fold_squares_of<BlockSquare<Fold>>(card, name, p, target);
  else if (p.window.radius != R)
    return fold_squares_of_radius<Fold, R + 1>(card, name, p, target);
  else if constexpr (2 * R + 1 > widest_direct)
    return fold_squares_of<SharedSquare<Fold, R>>(card, name, p, target);
  else
    return fold_squares_of<DirectSquare<Fold, R>>(card, name, p, target);
}

}  // namespace detail

/// Queues target(x, y) = the fold of the results of the columns' windows around (x - radius, y) ...
/// (x + radius, y), for frames of the same format. @returns false, having done nothing, if one pass
/// is not possible: a strip of the picture is too narrow for the windows, the format is another
/// one, or there is too little shared memory. @throws DeviceError.
template <class Fold>
bool fold_squares_on_card(CudaQueue& card, const char* name, const Fold& fold, const Window& across,
                          const Window& down, const BorderSampler& borders, const Frame& source,
                          const Frame& target) {
  if constexpr (!std::is_same_v<typename Fold::Stored, float>) {
    return false;
  } else {
    const Rect& t = target.region();
    if (across.radius != down.radius || across.radius == 0 ||
        across.radius > detail::widest_square / 2 || target.format().stored_channels() != 4)
      return false;
    const detail::SquarePass<Fold> p{fold,
                                     across,
                                     StoredRows<float>(source),
                                     target.card().value_target<float>(),
                                     borders.columns,
                                     borders.rows,
                                     t.right(),
                                     t.bottom(),
                                     0,
                                     0,
                                     {}};
    if (!p.from.is_aligned(16)) return false;
    return detail::fold_squares_of_radius(card, name, p, t);
  }
}

}  // namespace cuimg

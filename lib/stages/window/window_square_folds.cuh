// SPDX-License-Identifier: Apache-2.0
// What the threads of a block do that folds square windows: a thread folds a column of one channel
// down 16 rows that lie in shared memory, in place, then 16 windows of a row. A window's result
// replaces its last value.
#pragma once

#include "stages/window/window_column.cuh"
#include "stages/window/window_row_tiles.cuh"

namespace cuimg::detail {

/// Where a thread folds: its column, and of 16 rows that a warp each folds its 16 windows.
struct SquarePlace {
  int column, channel, row, block;

  __device__ SquarePlace()
      : column(static_cast<int>(threadIdx.x) / 4),
        channel(static_cast<int>(threadIdx.x) % 4),
        row(static_cast<int>(threadIdx.x) / 32),
        block(static_cast<int>(threadIdx.x) % 32 / 4) {}
};

/// Windows of a few values: a thread keeps what it has of those that have begun.
template <class AFold, int R>
class DirectSquare {
  using State = typename AFold::State;
  static constexpr int width = 128;  // pixels

 public:
  using Fold = AFold;
  static constexpr bool is_aligned = false;
  static constexpr int windows = width - 2 * R, threads = 4 * width;
  static constexpr int resident = sizeof(State) * R > 40 ? 1 : 2;
  static constexpr int row_size = tile_slot<4>(width);
  static constexpr int lag = 2 * R;  ///< Rows that a window began above the one that ends it.

  static constexpr int ring_blocks(const Window&) { return 2; }
  static std::size_t shared_bytes(const Window& window) {
    return static_cast<std::size_t>(ring_blocks(window) * window_block * row_size) * sizeof(float);
  }

  __device__ DirectSquare(const Fold& fold, const Window&, float* ring, int)
      : fold_(fold), ring_(ring) {}

  __device__ void begin() {
#pragma unroll
    for (int k = 0; k < lag; ++k) begun_[k] = fold_.neutral();
  }
  __device__ void fold_columns(int slot) {
    float* const values =
        ring_ + slot * window_block * row_size + tile_slot<4>(place_.column) + place_.channel;
    State sums[lag + window_block];
#pragma unroll
    for (int k = 0; k < lag; ++k) sums[k] = begun_[k];
#pragma unroll
    for (int i = 0; i < window_block; ++i) {
      const State value = fold_.load(values[i * row_size]);
#pragma unroll
      for (int k = 0; k < lag; ++k) sums[i + k] = fold_.join(sums[i + k], value);
      sums[i + lag] = value;  // as joined to neutral
      values[i * row_size] = fold_.store(sums[i]);
    }
#pragma unroll
    for (int k = 0; k < lag; ++k) begun_[k] = sums[window_block + k];
  }
  __device__ void fold_rows(float* rows) const {
    float* const values =
        rows + place_.row * row_size + tile_block_slot<4>(place_.block) + place_.channel;
    // Of the last block no window ends past it.
    const bool has_next = place_.block + 1 < width / window_block;
    State sums[window_block];
#pragma unroll
    for (int i = 0; i < window_block + lag; ++i) {
      // A block's end is overwritten from here on, which the thread to the right has begun with.
      if (i == window_block) __syncwarp();
      const bool is_there = i < window_block || has_next;
      const State value = fold_.load(is_there ? values[tile_slot<4>(i)] : 0.0f);
#pragma unroll
      for (int k = i > lag ? i - lag : 0; k < i && k < window_block; ++k)
        sums[k] = fold_.join(sums[k], value);
      if (i < window_block) sums[i] = value;
      if (i >= lag && is_there) values[tile_slot<4>(i)] = fold_.store(sums[i - lag]);
    }
  }

 private:
  const Fold& fold_;
  float* const ring_;
  const SquarePlace place_;
  State begun_[lag];
};

inline constexpr int widest_square = 33;

/// Wider windows, cut at blocks: rows of all of a window lie in shared memory.
template <class AFold>
class BlockSquare {
  using State = typename AFold::State;
  static constexpr int groups = 8;
  static constexpr int widest_columns = groups * window_block + widest_square - 1;

 public:
  using Fold = AFold;
  static constexpr bool is_aligned = true;
  static constexpr int windows = groups * window_block, threads = 4 * widest_columns;
  static constexpr int resident = 1;
  static constexpr int row_size = tile_slot<4>(widest_columns);
  static constexpr int lag = 0;

  /// One block is left, one under way.
  __host__ __device__ static int ring_blocks(const Window& window) {
    return (2 * window.radius + window_block - 1) / window_block + 2;
  }
  static std::size_t shared_bytes(const Window& window) {
    const int values = ring_blocks(window) * window_block * row_size;
    const int totals = window.span() * threads + window_block * row_totals(window);
    return static_cast<std::size_t>(values) * sizeof(float) +
           static_cast<std::size_t>(totals) * sizeof(State);
  }

  __device__ BlockSquare(const Fold& fold, const Window& window, float* ring, int blocks)
      : fold_(fold),
        window_(window),
        blocks_(blocks),
        is_there_(place_.column < windows + 2 * window.radius),
        values_(ring + tile_slot<4>(place_.column) + place_.channel),
        row_totals_(reinterpret_cast<State*>(ring + blocks * block_size)),
        column_(fold, window,
                row_totals_ + window_block * row_totals(window) + static_cast<int>(threadIdx.x)) {}

  __device__ void begin() {
    if (!is_there_) return;
    WindowBlock<Fold> entering;
    for (int k = 1; k < window_.span(); ++k) {
      read(values_ + k * block_size, entering);
      column_.begin_block(k, entering);
    }
    for (int k = 0; k < window_.rest(); ++k)
      column_.begin_end(values_[window_.span() * block_size + k * row_size]);
  }
  __device__ void fold_columns(int slot) {
    if (!is_there_) return;
    const auto place_of = [&](int block) {
      return values_ + (block >= blocks_ ? block - blocks_ : block) * block_size;
    };
    const int rest = window_.rest();
    const float* const in_block = place_of(slot + window_.span()) + rest * row_size;
    const float* const in_next =
        place_of(slot + window_.span() + 1) + (rest - window_block) * row_size;
    WindowBlock<Fold> leaving, entering, results;
    read(values_ + slot * block_size, leaving);
#pragma unroll
    for (int j = 0; j < window_block; ++j)
      entering[j] = (ends_after(rest, j) ? in_next : in_block)[j * row_size];
    column_.slide(leaving, entering, results);
#pragma unroll
    for (int j = 0; j < window_block; ++j) values_[slot * block_size + j * row_size] = results[j];
  }
  __device__ void fold_rows(float* rows) const {
    if (place_.row >= window_block) return;
    float* const row = rows + place_.row * row_size + place_.channel;
    WindowBlock<Fold> results;
    fold_tile_blocks<Fold, 4, groups>(
        fold_, window_, row, row_totals_ + place_.row * row_totals(window_) + place_.channel,
        place_.block, [] { __syncwarp(); }, results);
    const int rest = window_.rest();
    float* const in_block = row + tile_block_slot<4>(place_.block + window_.span()) + rest * 4;
    float* const in_next = in_block + 4;
#pragma unroll
    for (int j = 0; j < window_block; ++j)
      (ends_after(rest, j) ? in_next : in_block)[j * 4] = results[j];
  }

 private:
  static constexpr int block_size = window_block * row_size;

  __host__ __device__ static int row_totals(const Window& window) {
    return (groups + window.span() - 1) * 4;
  }
  __device__ static void read(const float* from, WindowBlock<Fold>& values) {
#pragma unroll
    for (int j = 0; j < window_block; ++j) values[j] = from[j * row_size];
  }

  const Fold& fold_;
  const Window window_;
  const int blocks_;
  const SquarePlace place_;
  const bool is_there_;
  float* const values_;
  State* const row_totals_;
  WindowColumn<Fold, threads> column_;
};

}  // namespace cuimg::detail

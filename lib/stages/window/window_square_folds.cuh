// SPDX-License-Identifier: Apache-2.0
// The steps of the threads of a block that folds square windows. A thread folds a column of one
// channel over 16 rows in shared memory, in place, and then 16 windows of a row. A window's result
// replaces its last value.
#pragma once

#include "stages/window/window_column.cuh"
#include "stages/window/window_row_tiles.cuh"

namespace cuimg::detail {

/// Where a thread folds: its column, and its 16 windows of a row. Each of 16 warps folds one row.
struct SquarePlace {
  int column, channel, row, block;

  __device__ SquarePlace()
      : column(static_cast<int>(threadIdx.x) / 4),
        channel(static_cast<int>(threadIdx.x) % 4),
        row(static_cast<int>(threadIdx.x) / 32),
        block(static_cast<int>(threadIdx.x) % 32 / 4) {}
};

/// Whether values may be joined in any order, and also repeatedly.
template <class Fold>
inline constexpr bool is_unordered = requires {
  requires Fold::is_unordered::value;
};

/// Makes values[i] the fold of values[i] ... values[i + width - 1], as far as these are in the
/// list, if order does not matter: it joins two windows half as wide, which may overlap.
/// @tparam reach how many values each entry already holds.
template <int width, int reach = 1, class Fold, class State, int all>
__device__ void join_windows(const Fold& fold, State (&values)[all]) {
  constexpr int next = 2 * reach <= width ? 2 * reach : width;
  if constexpr (reach < width) {
#pragma unroll
    for (int i = 0; i + next <= all; ++i)
      values[i] = fold.join(values[i], values[i + next - reach]);
    join_windows<width, next>(fold, values);
  }
}

/// Blocks 128 pixels wide that read each row once: a thread keeps the states of windows that have
/// begun.
template <class AFold, int R>
class BegunSquare {
 protected:
  using State = typename AFold::State;
  static constexpr int width = 128;

 public:
  using Fold = AFold;
  static constexpr bool is_aligned = false;
  static constexpr int windows = width - 2 * R, threads = 4 * width, resident = 2;
  static constexpr int row_size = tile_slot<4>(width);
  static constexpr int lag = 2 * R;  ///< Rows from a window's first row to its last.

  static constexpr int ring_blocks(const Window&) { return 2; }
  static std::size_t shared_bytes(const Window& window) {
    return static_cast<std::size_t>(ring_blocks(window) * window_block * row_size) * sizeof(float);
  }

  /// @name The values in shared memory between columns and rows: results, or states, if these are
  /// floats and need not be converted to results first. @{
  static constexpr bool keeps_states = is_unordered<Fold> && std::is_same_v<State, float>;
  __device__ float between(const State& state) const {
    if constexpr (keeps_states)
      return state;
    else
      return fold_.store(state);
  }
  __device__ State state_of(float between) const {
    if constexpr (keeps_states)
      return between;
    else
      return fold_.load(between);
  }
  /// @}

  __device__ BegunSquare(const Fold& fold, const Window&, float* ring, int)
      : fold_(fold), ring_(ring) {}

  __device__ void begin() {
#pragma unroll
    for (int k = 0; k < lag; ++k) begun_[k] = fold_.neutral();
  }

 protected:
  /// This thread's column of a block of the ring: rows are row_size apart.
  __device__ float* column(int slot) const {
    return ring_ + slot * window_block * row_size + tile_slot<4>(place_.column) + place_.channel;
  }
  /// The first value of its windows of a row: pixel i is at tile_slot<4>(i).
  __device__ float* windows_of(float* rows) const {
    return rows + place_.row * row_size + tile_block_slot<4>(place_.block) + place_.channel;
  }
  /// Whether a row has pixel i of them.
  __device__ bool has(int i) const {
    return place_.block < (width - i / window_block * window_block) / window_block;
  }

  const Fold& fold_;
  State begun_[lag];  ///< Windows that have begun, in the order of their ends; or the last values.

 private:
  float* const ring_;
  const SquarePlace place_;
};

/// Windows of a few values: each value is joined to every window that holds it, in order. If order
/// does not matter, windows share halves.
template <class AFold, int R>
class DirectSquare : public BegunSquare<AFold, R> {
  using Base = BegunSquare<AFold, R>;
  using Base::begun_;
  using Base::fold_;
  using typename Base::State;
  static constexpr bool shares = is_unordered<AFold>;

 public:
  using Base::Base, Base::lag, Base::row_size;

  __device__ void fold_columns(int slot) {
    float* const values = this->column(slot);
    State sums[lag + window_block];  // of windows; or values, if windows share halves
#pragma unroll
    for (int k = 0; k < lag; ++k) sums[k] = begun_[k];
    if constexpr (shares) {
#pragma unroll
      for (int i = 0; i < window_block; ++i) sums[lag + i] = fold_.load(values[i * row_size]);
#pragma unroll
      for (int k = 0; k < lag; ++k) begun_[k] = sums[window_block + k];
      join_windows<lag + 1>(fold_, sums);
#pragma unroll
      for (int i = 0; i < window_block; ++i) values[i * row_size] = this->between(sums[i]);
    } else {
#pragma unroll
      for (int i = 0; i < window_block; ++i) {
        const State value = fold_.load(values[i * row_size]);
#pragma unroll
        for (int k = 0; k < lag; ++k) sums[i + k] = fold_.join(sums[i + k], value);
        sums[i + lag] = value;  // the same as joined to neutral
        values[i * row_size] = this->between(sums[i]);
      }
#pragma unroll
      for (int k = 0; k < lag; ++k) begun_[k] = sums[window_block + k];
    }
  }
  __device__ void fold_rows(float* rows) const {
    float* const values = this->windows_of(rows);
    const auto value = [&](int i) {
      return this->state_of(this->has(i) ? values[tile_slot<4>(i)] : 0.0f);
    };
    if constexpr (shares) {
      State all[window_block + lag];
#pragma unroll
      for (int i = 0; i < window_block + lag; ++i) all[i] = value(i);
      join_windows<lag + 1>(fold_, all);
      __syncwarp();  // threads to the right have read what is overwritten now
#pragma unroll
      for (int i = 0; i < window_block; ++i)
        if (this->has(lag + i)) values[tile_slot<4>(lag + i)] = fold_.store(all[i]);
    } else {
      State sums[window_block];
#pragma unroll
      for (int i = 0; i < window_block + lag; ++i) {
        // From here on the end of a block is overwritten, where the thread to the right began.
        if (i == window_block) __syncwarp();
        const State next = value(i);
#pragma unroll
        for (int k = i > lag ? i - lag : 0; k < i && k < window_block; ++k)
          sums[k] = fold_.join(sums[k], next);
        if (i < window_block) sums[i] = next;
        if (i >= lag && this->has(i)) values[tile_slot<4>(i)] = fold_.store(sums[i - lag]);
      }
    }
  }
};

/// Windows of more than 16 values that may be joined in any order: 16 consecutive windows share the
/// values between the beginning of the last one and the end of the first one.
template <class AFold, int R>
class SharedSquare : public BegunSquare<AFold, R> {
  using Base = BegunSquare<AFold, R>;
  using Base::begun_;
  using Base::fold_;
  using typename Base::State;

 public:
  using Base::Base, Base::lag, Base::row_size;
  static_assert(lag >= window_block && is_unordered<AFold>);

  __device__ void fold_columns(int slot) {
    float* const values = this->column(slot);
    State entered[window_block], all = fold_.neutral();
#pragma unroll
    for (int i = 0; i < window_block; ++i) entered[i] = fold_.load(values[i * row_size]);
#pragma unroll
    for (int i = 0; i < window_block; ++i) {
      all = fold_.join(all, entered[i]);
      values[i * row_size] = this->between(fold_.join(begun_[i], all));
    }
#pragma unroll
    for (int k = 0; k < lag - window_block; ++k)
      begun_[k] = fold_.join(begun_[k + window_block], all);
    State last = fold_.neutral();
#pragma unroll
    for (int i = window_block - 1; i >= 0; --i) {
      last = fold_.join(last, entered[i]);
      begun_[lag - window_block + i] = last;
    }
  }
  __device__ void fold_rows(float* rows) const {
    float* const values = this->windows_of(rows);
    const auto value = [&](int i) {
      return this->has(i) ? this->state_of(values[tile_slot<4>(i)]) : fold_.neutral();
    };
    State from[window_block], ended = fold_.neutral();
#pragma unroll
    for (int i = 0; i < window_block; ++i) from[i] = value(i);
#pragma unroll
    for (int i = window_block; i <= lag; ++i)
      from[window_block - 1] = fold_.join(from[window_block - 1], value(i));
#pragma unroll
    for (int i = window_block - 2; i >= 0; --i) from[i] = fold_.join(from[i], from[i + 1]);
    __syncwarp();  // threads to the right have read what is overwritten now
#pragma unroll
    for (int i = 0; i < window_block; ++i) {
      if (i > 0) ended = fold_.join(ended, value(lag + i));
      if (this->has(lag + i))
        values[tile_slot<4>(lag + i)] = fold_.store(fold_.join(from[i], ended));
    }
  }
};

inline constexpr int widest_square = 33;

/// Wider windows, divided at blocks: all rows of a window are in shared memory.
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

  /// One block is being left, and one is being loaded.
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
    // No other thread reads the last value of a window any more.
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

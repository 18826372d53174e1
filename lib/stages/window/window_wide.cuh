// SPDX-License-Identifier: Apache-2.0
// Sliding windows on a card that are so wide that tables are made first: of the totals of blocks,
// and of totals of these. Also rows of stored values, for all windows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "device/cuda/cuda_border.cuh"
#include "device/cuda/cuda_map_pixels.cuh"
#include "kernels/stencil/window.h"
#include "kernels/texture/target.h"

namespace cuimg {

/// Reads a texel in one access, through the read-only cache.
template <class T>
__device__ inline T load_cached(const T* from) {
  if constexpr (sizeof(T) == 1)
    return __builtin_bit_cast(T, __ldg(reinterpret_cast<const unsigned char*>(from)));
  else if constexpr (sizeof(T) == 2)
    return __builtin_bit_cast(T, __ldg(reinterpret_cast<const unsigned short*>(from)));
  else if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(T, __ldg(reinterpret_cast<const unsigned*>(from)));
  else if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(T, __ldg(reinterpret_cast<const uint2*>(from)));
  else
    return __builtin_bit_cast(T, __ldg(reinterpret_cast<const uint4*>(from)));
}
/// Rows of a pitched frame as adjacent values, regardless of channels.
template <class Stored>
struct StoredRows {
  char* data;
  std::size_t pitch_bytes;
  int left, top;

  explicit StoredRows(const Frame& frame)
      : data(static_cast<char*>(frame.card().data())),
        pitch_bytes(frame.card().pitch_bytes()),
        left(frame.region().x),
        top(frame.region().y) {}

  /// Whether every row begins at a multiple of so many bytes.
  bool is_aligned(std::size_t bytes) const {
    return reinterpret_cast<std::uintptr_t>(data) % bytes == 0 && pitch_bytes % bytes == 0;
  }
  __device__ Stored* row(int y) const {
    return reinterpret_cast<Stored*>(data + static_cast<std::size_t>(y - top) * pitch_bytes);
  }
  __device__ Stored load(int value, int y) const { return load_cached(row(y) + value); }
};

/// Calls use(target). For floats, whose speed memory limits, rows and arrays have different target
/// types, so that each has its own kernel; narrower values use AnyMemory.
template <class Stored, class Use>
void with_value_target(const Frame& target, const Use& use) {
  if constexpr (sizeof(Stored) == 4)
    target.card().with_value_target<Stored>(use);
  else
    use(target.card().value_target<Stored>());
}

namespace detail {

/// Of 16 positions that begin `rest` positions after the beginning of a block: whether a block ends
/// right before position j, and whether one has ended by then. Widths are odd, so `rest` is even.
__device__ inline bool ends_at(int rest, int j) { return j % 2 == 0 && j + rest == window_block; }
__device__ inline bool ends_after(int rest, int j) { return j / 2 * 2 + rest >= window_block; }

/// suffixes[j] = the fold of values[15] ... values[j].
template <class Fold>
__device__ inline void fold_suffixes(const Fold& fold,
                                     const typename Fold::Stored (&values)[window_block],
                                     typename Fold::State (&suffixes)[window_block]) {
  typename Fold::State sum = fold.neutral();
#pragma unroll
  for (int j = window_block - 1; j >= 0; --j) {
    sum = fold.join(sum, fold.load(values[j]));
    suffixes[j] = sum;
  }
}

/// A position in a ring, moved forward. @param by less than the ring's size.
__device__ inline int moved_on(int place, int by, int size) {
  place += by;
  return place >= size ? place - size : place;
}

/// Joins `state` and then `count` values, `stride` apart, from left to right. Some are loaded
/// together: a sum that waits for each load takes several times as long.
template <int stride, class Fold, class T, class Load>
__device__ inline typename Fold::State fold_run(const Fold& fold, typename Fold::State state,
                                                const T* at, int count, const Load& load) {
  const auto some = [&]<int n>(std::integral_constant<int, n>) {
    T loaded[n];
#pragma unroll
    for (int i = 0; i < n; ++i) loaded[i] = at[i * stride];
#pragma unroll
    for (int i = 0; i < n; ++i) state = fold.join(state, load(loaded[i]));
    at += n * stride;
  };
#pragma unroll 1
  for (int k = 8; k <= count; k += 8) some(std::integral_constant<int, 8>());
  if ((count & 4) != 0) some(std::integral_constant<int, 4>());
  if ((count & 2) != 0) some(std::integral_constant<int, 2>());
  if ((count & 1) != 0) some(std::integral_constant<int, 1>());
  return state;
}
template <int stride, class Fold>
__device__ inline typename Fold::State fold_values(const Fold& fold,
                                                   const typename Fold::Stored* at, int count) {
  return fold_run<stride>(fold, fold.neutral(), at, count,
                          [&](typename Fold::Stored value) { return fold.load(value); });
}
template <int stride, class Fold>
__device__ inline typename Fold::State fold_totals(const Fold& fold, typename Fold::State state,
                                                   const typename Fold::State* at, int count) {
  return fold_run<stride>(fold, state, at, count, [](typename Fold::State total) { return total; });
}
/// Totals of a ring of `size`, from position `first` on.
template <int stride, class Fold>
__device__ inline typename Fold::State fold_totals_of_ring(const Fold& fold,
                                                           const typename Fold::State* ring,
                                                           int size, int first, int count) {
  const int before_end = min(count, size - first);
  const typename Fold::State state =
      fold_totals<stride>(fold, fold.neutral(), ring + first * stride, before_end);
  return fold_totals<stride>(fold, state, ring, count - before_end);
}

/// The 16 windows that begin in a block, whose suffixes are given. @param middle the fold of the
/// whole blocks between a window's ends. @param prefix the fold of the `rest` values before the
/// first end. @param in_block, in_next the values at the windows' ends, `stride` apart: in the
/// block of the first end and in the next one, each relative to position 0.
template <int stride, class Fold>
__device__ inline void fold_ends(const Fold& fold, int rest,
                                 const typename Fold::State (&suffixes)[window_block],
                                 typename Fold::State middle, typename Fold::State prefix,
                                 const typename Fold::Stored* in_block,
                                 const typename Fold::Stored* in_next,
                                 typename Fold::Stored (&out)[window_block]) {
#pragma unroll
  for (int j = 0; j < window_block; ++j) {
    if (ends_at(rest, j)) {
      middle = fold.join(middle, prefix);
      prefix = fold.neutral();
    }
    prefix = fold.join(prefix, fold.load((ends_after(rest, j) ? in_next : in_block)[j * stride]));
    out[j] = fold.store(fold.join(fold.join(suffixes[j], middle), prefix));
  }
}

// One axis of a frame. A line is a column of values, or a channel of a row.
template <class Fold, bool along_x>
struct WidePass {
  using Stored = typename Fold::Stored;
  Fold fold;
  Window window;
  StoredRows<Stored> from;
  ValueTarget<Stored> to;
  BorderAxis axis;
  int begin, end;  ///< Of the target, on this axis.
  int lines, channels;
  int other;  ///< The target's first row or column on the other axis.

  __device__ Stored load(int line, int i) const {
    const int at = border_index(axis, i);
    if (at == BorderAxis::nothing) return Stored{};
    if constexpr (along_x)
      return from.load((at - from.left) * channels + line % channels, other + line / channels);
    else
      return from.load(line, at);
  }
  __device__ void store(int line, int i, Stored value) const {
    if constexpr (along_x)
      to.store((i - to.left) * channels + line % channels, other + line / channels, value);
    else
      to.store(line, i, value);
  }
};

template <class State>
struct WideTotals {
  State* levels[window_levels];  ///< Of entry i, line l: [(i - first) * lines + l].
  int first[window_levels], count[window_levels];
};

// Each thread of a block processes a line. Along x these are adjacent channels of a row.
template <class Pass, class State>
__global__ void total_blocks(Pass p, WideTotals<State> totals) {
  const int line = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (line >= p.lines) return;
  for (int i = static_cast<int>(blockIdx.y); i < totals.count[0];
       i += static_cast<int>(gridDim.y)) {
    State total = p.fold.neutral();
    for (int k = 0; k < window_block; ++k)
      total =
          p.fold.join(total, p.fold.load(p.load(line, (totals.first[0] + i) * window_block + k)));
    totals.levels[0][static_cast<std::size_t>(i) * static_cast<std::size_t>(p.lines) +
                     static_cast<std::size_t>(line)] = total;
  }
}

template <class Pass, class State>
__global__ void total_groups(Pass p, WideTotals<State> totals, int level) {
  const int line = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (line >= p.lines) return;
  const auto lines = static_cast<std::size_t>(p.lines), l = static_cast<std::size_t>(line);
  for (int i = static_cast<int>(blockIdx.y); i < totals.count[level];
       i += static_cast<int>(gridDim.y)) {
    State total = p.fold.neutral();
    for (int k = 0; k < 16; ++k) {
      const int from = (totals.first[level] + i) * 16 + k - totals.first[level - 1];
      total =
          p.fold.join(total, totals.levels[level - 1][static_cast<std::size_t>(from) * lines + l]);
    }
    totals.levels[level][static_cast<std::size_t>(i) * lines + l] = total;
  }
}

template <class Pass, class State>
__global__ void fold_between_totals(Pass p, WideTotals<State> totals, int groups) {
  const int line = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (line >= p.lines) return;
  const auto lines = static_cast<std::size_t>(p.lines), l = static_cast<std::size_t>(line);
  const auto total = [&](int level, int index) {
    return totals.levels[level][static_cast<std::size_t>(index - totals.first[level]) * lines + l];
  };
  const auto& fold = p.fold;
  const int radius = p.window.radius, rest = p.window.rest();
  for (int g = static_cast<int>(blockIdx.y); g < groups; g += static_cast<int>(gridDim.y)) {
    const int group = block_start(p.begin - radius) + g * window_block;
    const int split = block_of(group) + p.window.span();
    State middle = fold.neutral();
    for_groups(block_of(group) + 1, split,
               [&](int level, int index) { middle = fold.join(middle, total(level, index)); });
    State suffixes[window_block];
    State sum = fold.neutral();
#pragma unroll
    for (int j = window_block - 1; j >= 0; --j) {
      sum = fold.join(sum, fold.load(p.load(line, group + j)));
      suffixes[j] = sum;
    }
    State prefix = fold.neutral();
    for (int k = 0; k < rest; ++k)
      prefix = fold.join(prefix, fold.load(p.load(line, split * window_block + k)));
#pragma unroll
    for (int j = 0; j < window_block; ++j) {
      if (j + rest == window_block) {
        middle = fold.join(middle, prefix);
        prefix = fold.neutral();
      }
      prefix = fold.join(prefix, fold.load(p.load(line, split * window_block + rest + j)));
      const int i = group + radius + j;
      if (i >= p.begin && i < p.end)
        p.store(line, i, fold.store(fold.join(fold.join(suffixes[j], middle), prefix)));
    }
  }
}

}  // namespace detail

/// Folds along one axis, with tables.
template <class Fold, bool along_x>
void fold_wide_on_card(CudaQueue& card, const char* name, const Fold& fold, const Window& window,
                       const BorderAxis& axis, const Frame& source, const Frame& target) {
  using Stored = typename Fold::Stored;
  using State = typename Fold::State;
  using Pass = detail::WidePass<Fold, along_x>;
  const Rect& t = target.region();
  const int channels = target.format().stored_channels();
  const Pass p{fold,
               window,
               StoredRows<Stored>(source),
               target.card().value_target<Stored>(),
               axis,
               along_x ? t.x : t.y,
               along_x ? t.right() : t.bottom(),
               channels * (along_x ? t.height : t.width),
               channels,
               t.y};
  detail::WideTotals<State> totals{};
  std::vector<DeviceTable<State>> memory;
  int first = block_of(p.begin - window.radius) + 1;
  int last = block_of(p.end - 1 + window.radius) + 1;
  for (int level = 0; level < window_levels; ++level) {
    totals.first[level] = first;
    totals.count[level] = std::max(0, last - first);
    memory.emplace_back(card, static_cast<std::size_t>(std::max(1, totals.count[level])) *
                                  static_cast<std::size_t>(p.lines));
    totals.levels[level] = memory.back().data();
    first = (first + 15) >> 4;
    last >>= 4;
  }
  const dim3 block(64);
  const auto grid = [&](int count) {
    return dim3(blocks_for(p.lines, 1, block).x,
                static_cast<unsigned>(std::clamp(count, 1, 32768)));
  };
  detail::total_blocks<<<grid(totals.count[0]), block, 0, card.stream()>>>(p, totals);
  check_launch(name);
  for (int level = 1; level < window_levels; ++level) {
    detail::total_groups<<<grid(totals.count[level]), block, 0, card.stream()>>>(p, totals, level);
    check_launch(name);
  }
  const int groups = block_of(p.end - 1 - window.radius) - block_of(p.begin - window.radius) + 1;
  detail::fold_between_totals<<<grid(groups), block, 0, card.stream()>>>(p, totals, groups);
  check_launch(name);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Sliding windows on the CPU: adjacent columns folded together, a strip at a time, and rows.
// kernels/stencil/window.h defines the result.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "base/instruction_set.h"
#include "device/frame.h"
#include "kernels/stencil/window.h"
#include "kernels/texture/border.h"

namespace cuimg {

/// A strip's width in bytes of states: 16 rows of them fit the processor's nearest caches.
inline constexpr std::size_t strip_bytes = 2048;

/// Totals of blocks, and totals of totals, for several adjacent lanes.
template <class State>
class WindowTotals {
 public:
  /// Blocks [first, last).
  WindowTotals(int first, int last, std::size_t lanes) : lanes_(lanes) {
    levels_.push_back(level_of(first, last));
  }
  /// A total of level 0, which the caller fills in.
  State* of_block(int block) { return at(0, block); }
  const State* of(int level, int index) const {
    return const_cast<WindowTotals*>(this)->at(level, index);
  }
  /// Adds the higher levels.
  template <class Fold>
  void group(const Fold& fold) {
    while (levels_.size() < window_levels) {
      const Level& below = levels_.back();
      const int last = below.first + below.count;
      Level next = level_of((below.first + 15) >> 4, last >> 4);
      for (int i = 0; i < next.count; ++i) {
        State* total = next.states.data() + static_cast<std::size_t>(i) * lanes_;
        std::fill_n(total, lanes_, fold.neutral());
        for (int k = 0; k < 16; ++k) {
          const State* from =
              below.states.data() +
              static_cast<std::size_t>((next.first + i) * 16 + k - below.first) * lanes_;
          for (std::size_t l = 0; l < lanes_; ++l) total[l] = fold.join(total[l], from[l]);
        }
      }
      levels_.push_back(std::move(next));
    }
  }

 private:
  struct Level {
    int first, count;
    std::vector<State> states;
  };
  Level level_of(int first, int last) const {
    const int count = std::max(0, last - first);
    return {first, count, std::vector<State>(static_cast<std::size_t>(count) * lanes_)};
  }
  State* at(int level, int index) {
    Level& l = levels_[static_cast<std::size_t>(level)];
    return l.states.data() + static_cast<std::size_t>(index - l.first) * lanes_;
  }
  std::size_t lanes_;
  std::vector<Level> levels_;
};

/// The values of a row from `left` on, for `count` pixels; values outside it follow the axis's
/// rule.
template <class Stored>
void pad_row(const BorderAxis& columns, const Frame& source, int left, int y, Stored* row,
             int count) {
  const int channels = source.format().channels;
  const auto fill = [&](int from, int to) {
    for (int x = from; x < to; ++x) {
      const int column = columns(x);
      for (int c = 0; c < channels; ++c)
        row[(x - left) * channels + c] =
            column == BorderAxis::nothing ? Stored{} : source.pixel_as<Stored>(column, y)[c];
    }
  };
  const Rect& r = source.region();
  const int first = std::clamp(r.x, left, left + count);
  const int last = std::clamp(r.right(), first, left + count);
  fill(left, first);
  if (last > first)
    std::copy_n(source.pixel_as<Stored>(first, y), (last - first) * channels,
                row + (first - left) * channels);
  fill(last, left + count);
}

/// out[l] = the fold of rows[0][l], rows[1][l], ... from left to right.
template <class Fold>
void fold_direct(const Fold& fold, const typename Fold::Stored* const* rows, int count,
                 std::size_t lanes, typename Fold::Stored* out) {
  constexpr std::size_t batch = 16;
  std::size_t l = 0;
  for (; l + batch <= lanes; l += batch) {
    typename Fold::State sums[batch];
    for (std::size_t i = 0; i < batch; ++i) sums[i] = fold.neutral();
    for (int k = 0; k < count; ++k)
      for (std::size_t i = 0; i < batch; ++i)
        sums[i] = fold.join(sums[i], fold.load(rows[k][l + i]));
    for (std::size_t i = 0; i < batch; ++i) out[l + i] = fold.store(sums[i]);
  }
  for (; l < lanes; ++l) {
    typename Fold::State sum = fold.neutral();
    for (int k = 0; k < count; ++k) sum = fold.join(sum, fold.load(rows[k][l]));
    out[l] = fold.store(sum);
  }
}

namespace detail {

template <class Fold>
void join_row(const Fold& fold, typename Fold::State* __restrict sum,
              const typename Fold::Stored* __restrict row, std::size_t lanes) {
  for (std::size_t l = 0; l < lanes; ++l) sum[l] = fold.join(sum[l], fold.load(row[l]));
}

}  // namespace detail

/// Folds the columns of a strip: out(y)[l] from row(y - radius)[l] ... row(y + radius)[l].
/// @param row (i) -> const Stored*, called for rows in a window.
/// @param out (y) -> Stored*, for y in [top, bottom).
template <class Fold, class Row, class Out>
void fold_columns(const Fold& fold, const Window& window, int top, int bottom, std::size_t lanes,
                  const Row& row, const Out& out) {
  using State = typename Fold::State;
  const int radius = window.radius, reach = 2 * radius;
  if (window.is_direct()) {
    std::array<const typename Fold::Stored*, widest_direct> rows;
    for (int y = top; y < bottom; ++y) {
      for (int k = 0; k <= reach; ++k) rows[static_cast<std::size_t>(k)] = row(y - radius + k);
      fold_direct(fold, rows.data(), reach + 1, lanes, out(y));
    }
    return;
  }
  const int first = top - radius, last = bottom - 1 - radius;  // the beginnings of windows
  WindowTotals<State> totals(block_of(first) + 1, block_of(last + reach), lanes);
  for (int b = block_of(first) + 1; b < block_of(last + reach); ++b) {
    State* total = totals.of_block(b);
    std::fill_n(total, lanes, fold.neutral());
    for (int i = 0; i < window_block; ++i)
      detail::join_row(fold, total, row(b * window_block + i), lanes);
  }
  if (levels_of(window.span() - 1) > 1) totals.group(fold);

  std::vector<State> suffixes(window_block * lanes), middle(lanes), prefix(lanes);
  for (int group = block_start(first); group <= last; group += window_block) {
    const int begin = std::max(group, first), end = std::min(group + window_block - 1, last);
    for (int a = group + window_block - 1; a >= begin; --a) {
      State* suffix = suffixes.data() + static_cast<std::size_t>(a - group) * lanes;
      if (a == group + window_block - 1)
        std::fill_n(suffix, lanes, fold.neutral());
      else
        std::copy_n(suffix + lanes, lanes, suffix);
      detail::join_row(fold, suffix, row(a), lanes);
    }
    const int split = block_of(group) + window.span();
    const auto join_total = [&](const State* total) {
      for (std::size_t l = 0; l < lanes; ++l) middle[l] = fold.join(middle[l], total[l]);
    };
    std::fill_n(middle.begin(), lanes, fold.neutral());
    for_groups(block_of(group) + 1, split,
               [&](int level, int index) { join_total(totals.of(level, index)); });
    const int first_block = block_of(begin + reach);
    if (first_block > split) join_total(totals.of(0, split));
    std::fill_n(prefix.begin(), lanes, fold.neutral());
    for (int e = block_start(begin + reach); e <= end + reach; ++e) {
      if (block_of(e) != first_block && e == block_start(e)) {
        join_total(prefix.data());
        std::fill_n(prefix.begin(), lanes, fold.neutral());
      }
      detail::join_row(fold, prefix.data(), row(e), lanes);
      const int a = e - reach;
      if (a < begin) continue;
      const State* suffix = suffixes.data() + static_cast<std::size_t>(a - group) * lanes;
      typename Fold::Stored* result = out(a + radius);
      for (std::size_t l = 0; l < lanes; ++l)
        result[l] = fold.store(fold.join(fold.join(suffix[l], middle[l]), prefix[l]));
    }
  }
}

namespace detail {

/// A pixel's channels while they are folded.
template <int channels, class Fold>
struct PixelState {
  typename Fold::State v[channels];

  static PixelState neutral(const Fold& fold) {
    PixelState p;
    for (int c = 0; c < channels; ++c) p.v[c] = fold.neutral();
    return p;
  }
  void join_pixel(const Fold& fold, const typename Fold::Stored* pixel) {
    for (int c = 0; c < channels; ++c) v[c] = fold.join(v[c], fold.load(pixel[c]));
  }
  void join_total(const Fold& fold, const typename Fold::State* total) {
    for (int c = 0; c < channels; ++c) v[c] = fold.join(v[c], total[c]);
  }
};

/// For each pixel of a row the fold from its block's beginning up to the pixel.
/// @param first the absolute position of row[0].
template <int channels, class Fold>
std::vector<PixelState<channels, Fold>> block_prefixes(const Fold& fold,
                                                       const typename Fold::Stored* row, int first,
                                                       int count) {
  using Pixel = PixelState<channels, Fold>;
  std::vector<Pixel> prefixes(static_cast<std::size_t>(count));
  Pixel sum = Pixel::neutral(fold);
  for (int i = 0; i < count; ++i) {
    if (((first + i) & (window_block - 1)) == 0) sum = Pixel::neutral(fold);
    sum.join_pixel(fold, row + std::ptrdiff_t{i} * channels);
    prefixes[static_cast<std::size_t>(i)] = sum;
  }
  return prefixes;
}

/// fold_row for small windows.
template <int channels, class Fold>
void fold_row_direct(const Fold& fold, const Window& window, int width,
                     const typename Fold::Stored* row, typename Fold::Stored* out) {
  const int reach = 2 * window.radius;
  std::array<const typename Fold::Stored*, widest_direct> rows;
  for (int k = 0; k <= reach; ++k) rows[static_cast<std::size_t>(k)] = row + k * channels;
  fold_direct(fold, rows.data(), reach + 1, static_cast<std::size_t>(width) * channels, out);
}

}  // namespace detail

/// Folds along a row of interleaved channels: out[x] from row[x] ... row[x + 2 * radius].
/// @param left the absolute position of out[0]; row[0] is at left - radius.
template <int channels, class Fold>
void fold_row(const Fold& fold, const Window& window, int left, int width,
              const typename Fold::Stored* row, typename Fold::Stored* out) {
  if (window.is_direct()) return detail::fold_row_direct<channels>(fold, window, width, row, out);
  using Pixel = detail::PixelState<channels, Fold>;
  const int reach = 2 * window.radius, first = left - window.radius;
  // The end of a window is in a block that began in the window, so the prefixes of the first,
  // incomplete block are not needed.
  const std::vector<Pixel> prefixes =
      detail::block_prefixes<channels>(fold, row, first, width + reach);
  const auto prefix = [&](int i) -> const Pixel& {
    return prefixes[static_cast<std::size_t>(i - first)];
  };
  const int end = first + width;  // of the beginnings of windows
  const int totals_end = block_of(end - 1 + reach);
  WindowTotals<typename Fold::State> totals(block_of(first) + 1, totals_end, channels);
  for (int b = block_of(first) + 1; b < totals_end; ++b)
    std::copy_n(prefix(b * window_block + window_block - 1).v, channels, totals.of_block(b));
  if (levels_of(window.span() - 1) > 1) totals.group(fold);

  for (int group = block_start(first); group < end; group += window_block) {
    const int last = group + window_block - 1;
    const int split = block_of(group) + window.span();
    Pixel middle[2] = {Pixel::neutral(fold), Pixel::neutral(fold)};
    for_groups(block_of(group) + 1, split,
               [&](int level, int index) { middle[0].join_total(fold, totals.of(level, index)); });
    middle[1] = middle[0];
    if (split < totals_end) middle[1].join_total(fold, totals.of(0, split));
    Pixel suffix = Pixel::neutral(fold);
    for (int a = last; a >= std::max(group, first); --a) {
      suffix.join_pixel(fold, row + std::ptrdiff_t{a - first} * channels);
      if (a >= end) continue;
      const Pixel& m = middle[block_of(a + reach) > split];
      const Pixel& p = prefix(a + reach);
      for (int c = 0; c < channels; ++c)
        out[(a - first) * channels + c] =
            fold.store(fold.join(fold.join(suffix.v[c], m.v[c]), p.v[c]));
    }
  }
}

}  // namespace cuimg

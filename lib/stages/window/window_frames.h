// SPDX-License-Identifier: Apache-2.0
// Sliding windows over host frames: a pass over columns and a pass over rows, divided among a
// queue's threads.
#pragma once

#include <algorithm>
#include <vector>

#include "base/mapped_pages.h"
#include "device/queue.h"
#include "image/scratch.h"
#include "kernels/math/ceil_div.h"
#include "stages/window/window_rows.h"

namespace cuimg {

/// The frame for the result of the columns' pass: the target's rows and the source's columns. It is
/// the target itself if the columns are the same, since rows are then folded in place.
inline Frame between_passes(const Frame& source, const Frame& target) {
  const Rect &s = source.region(), &t = target.region();
  const Rect between = {s.x, t.y, s.width, t.height};
  return between == t ? target : Frame::new_host(target.format().over(between));
}

/// The number of adjacent values whose columns are folded together. If pixels are in files, every
/// row of a strip costs some page faults: then strips are as wide as memory for their totals
/// allows.
/// @param rows of the windows, from the first to the last.
template <class State>
std::size_t strip_lanes(const Queue& queue, int rows) {
  constexpr std::size_t near = strip_bytes / sizeof(State), page_lanes = 1024;
  const auto memory_bytes = Scratch::memory_bytes();
  if (!memory_bytes) return near;
  // Suffixes of a block, totals of blocks, and totals of totals.
  const auto states = static_cast<std::size_t>(2 * window_block + rows / (window_block - 1));
  const std::size_t share = *memory_bytes / 8 / static_cast<std::size_t>(queue.threads());
  return std::max(near, share / (states * sizeof(State)) / page_lanes * page_lanes);
}

/// @param rows the source's rows. @param target has the source's columns.
template <class Fold>
void fold_frame_columns(const Queue& queue, const Fold& fold, const Window& window,
                        const BorderAxis& rows, const Frame& source, const Frame& target) {
  using Stored = typename Fold::Stored;
  const Rect& r = target.region();
  const auto values = static_cast<std::size_t>(r.width * source.format().channels);
  const std::size_t strip = strip_lanes<typename Fold::State>(queue, r.height + window.width() - 1);
  const std::vector<Stored> nothing(strip, Stored{});
  queue.for_each(static_cast<int>(ceil_div(values, strip)), [&](int part) {
    const std::size_t begin = static_cast<std::size_t>(part) * strip;
    const std::size_t lanes = std::min(strip, values - begin);
    MappedPagesCheck pages;
    const auto row = [&](int i) -> const Stored* {
      pages.next();
      const int y = rows(i);
      return y == BorderAxis::nothing ? nothing.data() : source.pixel_as<Stored>(r.x, y) + begin;
    };
    const auto out = [&](int y) { return target.pixel_as<Stored>(r.x, y) + begin; };
    with_best_instructions([&] { fold_columns(fold, window, r.y, r.bottom(), lanes, row, out); });
  });
}

/// @param columns the source's. @param source has the target's rows; may be the target.
/// @param fold_one (const Stored* row, int left, int width, Stored* out): out[x] from
/// row[x] ... row[x + 2 * radius].
template <class Stored, class FoldOne>
void fold_frame_rows(const Queue& queue, const Window& window, const BorderAxis& columns,
                     const Frame& source, const Frame& target, const FoldOne& fold_one) {
  const Rect& t = target.region();
  const int length = t.width + 2 * window.radius;
  queue.for_rows(t, 16, [&](int top, int bottom) {
    std::vector<Stored> row(static_cast<std::size_t>(length * target.format().channels));
    for (int y = top; y < bottom; ++y) {
      pad_row(columns, source, t.x - window.radius, y, row.data(), length);
      fold_one(row.data(), t.x, t.width, target.pixel_as<Stored>(t.x, y));
    }
  });
}

}  // namespace cuimg

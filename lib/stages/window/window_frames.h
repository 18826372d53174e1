// SPDX-License-Identifier: Apache-2.0
// Sliding windows over host frames: the columns' pass and the rows', shared out among a queue's
// threads.
#pragma once

#include <vector>

#include "device/queue.h"
#include "stages/window/window_rows.h"

namespace cuimg {

/// Where the columns' pass leaves the target's rows over all of the source's columns: the target
/// itself when it has the same ones, since rows are then folded in place.
inline Frame between_passes(const Frame& source, const Frame& target) {
  const Rect &s = source.region(), &t = target.region();
  const Rect between = {s.x, t.y, s.width, t.height};
  return between == t ? target : Frame::new_host(target.format().over(between));
}

/// @param rows the source's. @param target has the source's columns.
template <class Fold>
void fold_frame_columns(const Queue& queue, const Fold& fold, const Window& window,
                        const BorderAxis& rows, const Frame& source, const Frame& target) {
  using Stored = typename Fold::Stored;
  const Rect& r = target.region();
  const auto values = static_cast<std::size_t>(r.width * source.format().channels);
  constexpr std::size_t strip = strip_bytes / sizeof(typename Fold::State);
  const std::vector<Stored> nothing(strip, Stored{});
  queue.for_each(static_cast<int>((values + strip - 1) / strip), [&](int part) {
    const std::size_t begin = static_cast<std::size_t>(part) * strip;
    const std::size_t lanes = std::min(strip, values - begin);
    const auto row = [&](int i) -> const Stored* {
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

// SPDX-License-Identifier: Apache-2.0
// Fills rows beyond the edges.
#include "stages/warp/border_sampler.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "stages/resample/texture_view.h"

namespace cuimg {
namespace {

BorderAxis axis(int low, int high, int frame_low, int frame_high, Border border) {
  return {low, high, frame_low, frame_high, border_rule(border)};
}

// The indices that [from, to) reads across a mirror. Beyond one edge it reads as many pixels before
// the edge, including the edge itself, since an axis of only that part must find the edge again. No
// result if it crosses both edges or turns more than once: then anything may be read.
std::optional<std::pair<int, int>> mirrored_reach(const BorderAxis& axis, int from, int to) {
  const std::int64_t length = std::int64_t{axis.high} - axis.low;
  const std::int64_t below = std::int64_t{axis.low} - from, above = std::int64_t{to} - axis.high;
  if (below > 0 && above <= 0 && below <= length)
    return std::pair{axis.low, std::max(to, axis.low + static_cast<int>(below))};
  if (above > 0 && below <= 0 && above <= length)
    return std::pair{std::min(from, axis.high - static_cast<int>(above)), axis.high};
  return std::nullopt;
}

// The first and one past the last index that [from, to) reads. For wrap and mirror the range may
// include indices that are not read.
std::pair<int, int> reach(const BorderAxis& axis, int from, int to) {
  int low = std::max(from, axis.low), high = std::min(to, axis.high);
  const bool outside = from < axis.low || to > axis.high;
  if (!outside) return {low, high};
  if (axis.rule == BorderRule::wrap || axis.rule == BorderRule::mirror) {
    // The strip between the pixels and the frame's edge is still to be filled.
    const bool passes_edge =
        from < std::min(axis.low, axis.frame_low) || to > std::max(axis.high, axis.frame_high);
    if (!passes_edge) return {low, std::max(low, high)};
    const auto near = axis.rule == BorderRule::mirror ? mirrored_reach(axis, from, to)
                                                      : std::optional<std::pair<int, int>>();
    return near.value_or(std::pair{axis.low, axis.high});
  }
  if (axis.rule == BorderRule::clamp) {
    if (from < axis.low && axis(from) != BorderAxis::nothing)
      low = axis.low, high = std::max(high, low + 1);
    if (to > axis.high && axis(to - 1) != BorderAxis::nothing)
      high = axis.high, low = std::min(low, high - 1);
  }
  return {low, std::max(low, high)};
}

// The same, and exact if a border wraps or mirrors and [from, to) lies on one side of an edge.
std::pair<int, int> exact_reach(const BorderAxis& axis, int from, int to) {
  const bool is_mirror = axis.rule == BorderRule::mirror;
  if (axis.rule != BorderRule::wrap && !is_mirror) return reach(axis, from, to);
  const std::pair<int, int> parts[] = {{from, std::min(to, axis.low)},
                                       {std::max(from, axis.low), std::min(to, axis.high)},
                                       {std::max(from, axis.high), to}};
  int low = axis.high, high = axis.low;
  for (const auto& [first, end] : parts) {
    if (first >= end) continue;
    const int at_first = axis(first), at_last = axis(end - 1);
    if (at_first == BorderAxis::nothing || at_last == BorderAxis::nothing)
      return reach(axis, from, to);
    // Past the next edge, indices would jump or reverse.
    const std::int64_t steps = std::int64_t{at_last} - at_first, length = std::int64_t{end} - first;
    if (steps != length - 1 && !(is_mirror && steps == 1 - length)) return reach(axis, from, to);
    low = std::min({low, at_first, at_last});
    high = std::max({high, at_first + 1, at_last + 1});
  }
  return {low, std::max(low, high)};
}

}  // namespace

BorderSampler::BorderSampler(const Spec& input, Border border)
    : columns(axis(input.data_window.x, input.data_window.right(), input.display_window.x,
                   input.display_window.right(), border)),
      rows(axis(input.data_window.y, input.data_window.bottom(), input.display_window.y,
                input.display_window.bottom(), border)) {}

BorderSampler BorderSampler::within(const Rect& part) const {
  const auto cut = [](BorderAxis axis, int low, int high) {
    axis.low = std::max(axis.low, low);
    axis.high = std::max(axis.low, std::min(axis.high, high));
    return axis;
  };
  return {cut(columns, part.x, part.right()), cut(rows, part.y, part.bottom())};
}

Rect BorderSampler::sources(const Rect& region) const {
  const auto [left, right] = reach(columns, region.x, region.right());
  const auto [top, bottom] = reach(rows, region.y, region.bottom());
  return rect_from_edges(left, top, right, bottom);
}

Rect BorderSampler::sources_one_by_one(const Rect& region) const {
  const auto [left, right] = exact_reach(columns, region.x, region.right());
  const auto [top, bottom] = exact_reach(rows, region.y, region.bottom());
  return rect_from_edges(left, top, right, bottom);
}

Rect BorderSampler::sources_around(const Rect& region, int dx, int dy) const {
  return sources(grown(region, dx, dy));
}

Frame BorderSampler::padded(const Frame& source, const Rect& region) const {
  const Frame result = Frame::new_host(source.format().over(region));
  const std::size_t bytes = result.format().pixel_bytes();
  const Rect inside = intersection(region, source.region());
  for (int y = region.y; y < region.bottom(); ++y) {
    const int from = rows(y);
    if (from == BorderAxis::nothing) {
      std::memset(result.pixel(region.x, y), 0, bytes * static_cast<std::size_t>(region.width));
      continue;
    }
    const auto fill = [&](int x) {
      const int column = columns(x);
      if (column == BorderAxis::nothing)
        std::memset(result.pixel(x, y), 0, bytes);
      else
        std::memcpy(result.pixel(x, y), source.pixel(column, from), bytes);
    };
    const int left = inside.width > 0 ? inside.x : region.right();
    const int right = inside.width > 0 ? inside.right() : region.right();
    for (int x = region.x; x < left; ++x) fill(x);
    if (right > left)
      std::memcpy(result.pixel(left, y), source.pixel(left, from),
                  bytes * static_cast<std::size_t>(right - left));
    for (int x = right; x < region.right(); ++x) fill(x);
  }
  return result;
}

}  // namespace cuimg

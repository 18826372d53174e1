// SPDX-License-Identifier: Apache-2.0
#include "pipeline/execute/card_tiles.h"

#include <algorithm>
#include <utility>

namespace cuimg {
namespace {

std::int64_t bytes_of(const Spec& spec, int layer, const Rect& region) {
  const FrameFormat format = format_of(spec, layer, region, Storage::pitched);
  return region.empty() ? 0 : region.pixels() * static_cast<std::int64_t>(format.pixel_bytes());
}

// Cut across the longer side, at a multiple of what a warp writes.
std::pair<Rect, Rect> halves(const Rect& r) {
  constexpr int even = 32;
  const auto half = [](int side) { return side > 2 * even ? side / 2 / even * even : side / 2; };
  if (r.width >= r.height) {
    const Rect first = {r.x, r.y, half(r.width), r.height};
    return {first, rect_from_edges(first.right(), r.y, r.right(), r.bottom())};
  }
  const Rect first = {r.x, r.y, r.width, half(r.height)};
  return {first, rect_from_edges(r.x, first.bottom(), r.right(), r.bottom())};
}

// A band's launches and copies take some tenths of a millisecond, whatever its size.
constexpr int least_rows = 256, most_bands = 16, rows_a_warp_writes = 32;
// What bands may read and make, against the whole.
constexpr double most_work = 1.25;

double pixels_of(const Regions& regions) {
  double pixels = 0;
  for (const Rect& region : regions) pixels += static_cast<double>(region.pixels());
  return pixels;
}

}  // namespace

std::int64_t bytes_on_card(Steps steps, const Spec& source, const Regions& regions) {
  std::int64_t most = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Operation& step = operation(steps, i);
    const Spec& input = i == 0 ? source : operation(steps, i - 1).output();
    for (int layer = 0; layer < static_cast<int>(step.output().layers.size()); ++layer) {
      std::int64_t read = 0;
      for (const int from : step.plan().layer(layer).sources)
        read += bytes_of(input, from, regions[i]);
      const std::int64_t written = bytes_of(step.output(), layer, regions[i + 1]);
      // Two passes have a frame between them.
      most = std::max(most, read + written + std::max(read, written));
    }
  }
  return most;
}

std::optional<TileSize> bands_on_card(Steps steps, const Spec& source) {
  const Rect& from = source.data_window;
  if (steps.empty() || from.empty()) return std::nullopt;
  for (const PlannedStep& step : steps)
    if (step.wants_whole_input()) return std::nullopt;
  const Rect& window = window_of(steps);
  if (window.height < 2 * least_rows) return std::nullopt;
  const int share = (window.height + most_bands - 1) / most_bands;
  const int rows = std::max(
      least_rows, (share + rows_a_warp_writes - 1) / rows_a_warp_writes * rows_a_warp_writes);
  const Regions whole = needed_regions(steps, from, window);
  double work = 0;
  for (int top = window.y; top < window.bottom(); top += rows) {
    const Rect band = {window.x, top, window.width, std::min(rows, window.bottom() - top)};
    const Regions regions = needed_regions(steps, from, band);
    if (top == window.y && regions.front().bottom() > from.y + from.height / 2) return std::nullopt;
    work += pixels_of(regions);
  }
  if (work > most_work * pixels_of(whole)) return std::nullopt;
  return TileSize{window.width, rows};
}

void run_card_tiles(Steps steps, const Queue& queue, const RowFlow& flow, const Layers& wanted,
                    const TileSize& tile) {
  constexpr int smallest_side = 16;
  SourceOnCard source(queue, flow.source, flow.ready, true);
  const auto make = [&](const auto& self, const Rect& region) -> void {
    try {
      RowProgress partial;
      return make_on_card(steps, queue, source, needed_regions(steps, source.window(), region),
                          wanted, flow.target, partial);
    } catch (const DeviceError& error) {
      if (!error.lacks_room() || (region.width <= smallest_side && region.height <= smallest_side))
        throw;
    }
    const auto [first, second] = halves(region);
    self(self, first);
    self(self, second);
  };
  const Rect& window = window_of(steps);
  for (int top = window.y; top < window.bottom(); top += tile.height) {
    const int bottom = std::min(top + tile.height, window.bottom());
    for (int left = window.x; left < window.right(); left += tile.width)
      make(make, rect_from_edges(left, top, std::min(left + tile.width, window.right()), bottom));
    flow.done.advance(bottom - window.y);
  }
}

}  // namespace cuimg

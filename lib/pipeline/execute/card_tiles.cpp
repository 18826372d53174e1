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

const Rect& window_of(Steps steps) {
  return operation(steps, steps.size() - 1).output().data_window;
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

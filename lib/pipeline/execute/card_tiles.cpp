// SPDX-License-Identifier: Apache-2.0
#include "pipeline/execute/card_tiles.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "base/kept_thread.h"
#include "kernels/math/ceil_div.h"
#include "pipeline/execute/tile_grid.h"
#include "pipeline/execute/tile_turns.h"

namespace cuimg {
namespace {

std::int64_t bytes_of(const Spec& spec, int layer, const Rect& region) {
  const FrameFormat format = format_of(spec, layer, region, Storage::pitched);
  return region.empty() ? 0 : region.pixels() * static_cast<std::int64_t>(format.pixel_bytes());
}

// Cut across the longer side, at a multiple of the rows that a warp of threads writes.
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

// The launches and copies of a band take some tenths of a millisecond, whatever its size.
constexpr int least_rows = 256, most_bands = 16, rows_a_warp_writes = 32;
// The limit on what bands may read and compute, relative to the whole.
constexpr double most_work = 1.25;

double pixels_of(const Regions& regions) {
  double pixels = 0;
  for (const Rect& region : regions) pixels += static_cast<double>(region.pixels());
  return pixels;
}

// The tiles of one picture, processed by one or two lanes.
class CardLanes {
 public:
  CardLanes(Steps steps, const RowFlow& flow, const Layers& wanted, const TileSize& tile, int lanes)
      : steps_(steps),
        flow_(flow),
        wanted_(wanted),
        grid_(window_of(steps), tile),
        lanes_(std::min(lanes, grid_.count())),
        source_(flow.source, flow.ready, true),
        turns_(grid_, lanes_, flow.done) {}

  void run(const Queue& queue) {
    {
      KeptThread second;
      if (lanes_ > 1) second = begin_second_lane(queue);
      make_tiles(queue, 0);
    }
    turns_.rethrow_failure();
  }

 private:
  // If no thread or stream is available, only time is lost: the first lane makes everything.
  KeptThread begin_second_lane(const Queue& queue) try {
    return KeptThread([this, &queue] {
      try {
        queue.make_current();
        make_tiles(queue.sibling(), 1);
      } catch (...) {  // an error when opening the stream
      }
    });
  } catch (const std::system_error&) {
    return {};
  }

  void make_tiles(const Queue& queue, int lane) noexcept {
    int at = 0;
    try {
      while (const std::optional<int> tile = turns_.next(lane)) {
        at = *tile;
        if (!make(queue, lane, at, grid_.tile(at))) return;
        turns_.finish(at);
      }
    } catch (...) {
      await_end(queue);
      turns_.fail(at, std::current_exception());
    }
  }

  // Work that was queued before a failure may read what the other lane copied, which is freed after
  // both have ended.
  static void await_end(const Queue& queue) {
    try {
      queue.synchronize();
    } catch (const DeviceError&) {  // a broken card has stopped
    }
  }

  // @returns false if the tile was not made and the lane must end.
  bool make(const Queue& queue, int lane, int tile, const Rect& region) {
    constexpr int smallest_side = 16;
    std::optional<DeviceError> lacking = lacks_room_for(queue, region);
    // The other lane's tile may be the one that takes the memory.
    if (lacking && lacking->lacks_memory() && !turns_.is_alone(lane)) {
      if (!turns_.go_on_alone(lane, tile)) return false;
      lacking = lacks_room_for(queue, region);
    }
    if (!lacking) return true;
    if (region.width <= smallest_side && region.height <= smallest_side) throw *lacking;
    const auto [first, second] = halves(region);
    return make(queue, lane, tile, first) && make(queue, lane, tile, second);
  }

  // Makes the region, or returns the reason why the card has no room for it.
  std::optional<DeviceError> lacks_room_for(const Queue& queue, const Rect& region) {
    try {
      RowProgress partial;
      make_on_card(
          {steps_, queue, source_, needed_regions(steps_, source_.window(), region), wanted_},
          flow_.target, partial);
      return std::nullopt;
    } catch (const DeviceError& error) {
      if (!error.lacks_room()) throw;
      await_end(queue);
      return error;
    }
  }

  const Steps steps_;
  const RowFlow& flow_;
  const Layers& wanted_;
  const TileGrid grid_;
  const int lanes_;
  SourceOnCard source_;
  TileTurns turns_;
};

}  // namespace

std::int64_t bytes_on_card(Steps steps, const Spec& source, const Regions& regions) {
  std::int64_t most = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Operation& step = operation(steps, i);
    const Spec& input = i == 0 ? source : operation(steps, i - 1).output();
    for (int layer = 0; layer < step.output().layer_count(); ++layer) {
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
  const int share = ceil_div(window.height, most_bands);
  const int rows = std::max(least_rows, round_up(share, rows_a_warp_writes));
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

void load_kernels(Steps steps, const Queue& queue, const RowFlow& flow, const Layers& wanted) {
  constexpr int width = 256, rows = rows_a_warp_writes;
  constexpr double small_part = 1.0 / 16;
  const Rect& window = window_of(steps);
  if (window.empty()) return;
  SourceOnCard source(flow.source, flow.ready, false);
  const Regions corner = needed_regions(
      steps, source.window(),
      {window.x, window.y, std::min(width, window.width), std::min(rows, window.height)});
  if (pixels_of(corner) > small_part * pixels_of(needed_regions(steps, source.window(), window)))
    return;
  try {
    try_on_card({steps, queue, source, corner, wanted});
  } catch (const DeviceError& error) {
    if (!error.lacks_room()) throw;
  }
}

void run_card_tiles(Steps steps, const Queue& queue, const RowFlow& flow, const Layers& wanted,
                    const TileSize& tile, int lanes) {
  if (!window_of(steps).empty()) CardLanes(steps, flow, wanted, tile, lanes).run(queue);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "pipeline/execute/tiles.h"

#include <algorithm>
#include <climits>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/execute/tile_grid.h"

namespace cuimg {
namespace {

// The part of their input that the steps need for a region of their output.
Rect needed_of_input(Steps steps, Rect region) {
  for (std::size_t i = steps.size(); i-- > 0;) region = operation(steps, i).needed(region);
  return region;
}

// Makes a region of the steps' result from the rows of an image.
class RegionMaker {
 public:
  RegionMaker(Steps steps, const Queue& queue, const Image& source, RowProgress& ready)
      : steps_(steps), queue_(queue), source_(source), ready_(ready) {}

  void make(int layer, const Frame& target) const { run(steps_.size(), layer, target); }

  /// Makes parts one after another, each with at most that many bytes.
  void make_in_parts(int layer, const Frame& target, std::int64_t most_bytes) const {
    const Rect& r = target.region();
    if (most_bytes == INT64_MAX || bytes_of(r) <= most_bytes) return make(layer, target);
    const auto [first, second] = parted(r, most_bytes);
    if (second.empty()) return make(layer, target);
    make_in_parts(layer, target.cropped(first), most_bytes);
    make_in_parts(layer, target.cropped(second), most_bytes);
  }

 private:
  // The result of the first `count` steps for a region.
  Frame made(std::size_t count, int layer, const Rect& region) const {
    if (count == 0) {
      if (!region.empty()) ready_.wait_for(region.bottom() - source_.spec().data_window.y);
      return Frame::over_image(source_, layer).cropped(region);
    }
    const Frame frame = Frame::new_host(
        format_of(operation(steps_, count - 1).output(), layer, region, Storage::host));
    run(count, layer, frame);
    return frame;
  }

  void run(std::size_t count, int layer, const Frame& target) const {
    if (target.empty()) return;  // a conversion whose rows differ from those that the step makes
    const Operation& step = operation(steps_, count - 1);
    const LayerPlan& plan = step.plan().layer(layer);
    if (is_done_before(count, layer, target.region()))
      return run(count - 1, plan.sources.front(), target.seen_as_floats(plan.encodes));
    const Rect needed = step.needed(target.region());
    std::string name = steps_[count - 1].name;
    std::vector<Frame> sources;
    for (const int source : plan.sources) {
      const bool converts = plan.takes_stored_rows && is_done_after(count - 1, source, needed);
      sources.push_back(converts ? stored(count - 1, source, needed)
                                 : made(count - 1, source, needed));
      if (converts && sources.size() == 1) name = steps_[count - 2].name + " + " + name;
    }
    if (target.stored_form() != nullptr) name += " + " + steps_[count].name;
    queue_.time_step(name, [&] { step.run(queue_, layer, sources, target); });
  }

  // Whether the step is a conversion that the one before it can do, row by row as it makes them.
  bool is_done_before(std::size_t count, int layer, const Rect& region) const {
    if (count < 2) return false;
    const Operation& conversion = operation(steps_, count - 1);
    const LayerPlan& plan = conversion.plan().layer(layer);
    return plan.encodes != nullptr && conversion.needed(region) == region &&
           operation(steps_, count - 2).plan().layer(plan.sources.front()).takes_stored_rows;
  }
  // Whether it is one that the step after it can do as it reads them.
  bool is_done_after(std::size_t count, int layer, const Rect& region) const {
    if (count == 0 || region.empty()) return false;
    const Operation& conversion = operation(steps_, count - 1);
    return conversion.plan().layer(layer).decodes != nullptr && conversion.needed(region) == region;
  }
  // Its source, as the step after it reads it.
  Frame stored(std::size_t count, int layer, const Rect& region) const {
    const LayerPlan& conversion = operation(steps_, count - 1).plan().layer(layer);
    return made(count - 1, conversion.sources.front(), region).seen_as_floats(conversion.decodes);
  }

  std::int64_t bytes_of(const Rect& region) const { return cost_of(steps_, region).bytes; }

  // Divides a region in two, where the first part is as long as its bytes allow. If pixels come
  // from both sides of a seam, as after `offset`, the parts meet there: a part across the seam
  // would read the whole picture.
  std::pair<Rect, Rect> parted(const Rect& r, std::int64_t most_bytes) const {
    const auto left = [&](int width) { return Rect{r.x, r.y, width, r.height}; };
    const auto upper = [&](int height) { return Rect{r.x, r.y, r.width, height}; };
    const int width = longest(r.width, most_bytes, [&](int n) { return bytes_of(left(n)); });
    const int height = longest(r.height, most_bytes, [&](int n) { return bytes_of(upper(n)); });
    const auto bytes_per_pixel = [&](const Rect& part) {
      return static_cast<double>(bytes_of(part)) / static_cast<double>(part.pixels());
    };
    const bool across =
        height == r.height ||
        (width < r.width && bytes_per_pixel(left(width)) <= bytes_per_pixel(upper(height)));
    if (across) return {left(width), rect_from_edges(r.x + width, r.y, r.right(), r.bottom())};
    return {upper(height), rect_from_edges(r.x, r.y + height, r.right(), r.bottom())};
  }

  // The greatest length with few enough bytes. If it is less than the minimum for parts, it is only
  // used if a seam lies there.
  template <class Bytes>
  static int longest(int all, std::int64_t most_bytes, const Bytes& bytes) {
    constexpr int shortest = 16;
    int good = 0, bad = all;
    while (bad - good > 1) {
      const int middle = good + (bad - good) / 2;
      (bytes(middle) <= most_bytes ? good : bad) = middle;
    }
    const bool at_seam = good > 0 && bytes(good + 1) > 2 * bytes(good);
    if (good >= shortest || at_seam) return good;
    return all <= shortest ? all : std::max(shortest, all / 2);
  }

  Steps steps_;
  const Queue& queue_;
  const Image& source_;
  RowProgress& ready_;
};

// Turns tiles that end in any order into rows that are complete from the top, and into rows of the
// source that no later tile needs.
class TileProgress {
 public:
  TileProgress(const TileGrid& grid, int tile_height, RowProgress& ready, RowProgress& done)
      : grid_(grid),
        tile_height_(tile_height),
        ready_(ready),
        done_(done),
        unfinished_(static_cast<std::size_t>(grid.rows()), grid.columns()) {}

  /// @param first_row (row of tiles) -> the first of the source's rows that it needs.
  template <class FirstRow>
  void release_source(const FirstRow& first_row) {
    if (!ready_.keeps_near()) return;
    needed_from_.assign(unfinished_.size() + 1, INT_MAX);
    for (std::size_t row = unfinished_.size(); row-- > 0;)
      needed_from_[row] = std::min(needed_from_[row + 1], first_row(static_cast<int>(row)));
    ready_.release(needed_from_.front());
  }

  void finish(int tile) {
    const std::lock_guard lock(mutex_);
    --unfinished_[static_cast<std::size_t>(grid_.row_of(tile))];
    while (complete_ < unfinished_.size() && unfinished_[complete_] == 0) ++complete_;
    done_.advance(static_cast<int>(complete_) * tile_height_);
    if (!needed_from_.empty()) ready_.release(needed_from_[complete_]);
  }

 private:
  const TileGrid& grid_;
  const int tile_height_;
  RowProgress& ready_;
  RowProgress& done_;
  std::mutex mutex_;
  std::vector<int> unfinished_;  ///< The number of tiles in each row.
  std::size_t complete_ = 0;
  std::vector<int> needed_from_;  ///< The first row that this row of tiles or a later one needs.
};

}  // namespace

RegionCost cost_of(Steps steps, Rect region) {
  RegionCost cost;
  for (std::size_t i = steps.size(); i-- > 0;) {
    const Operation& step = operation(steps, i);
    const Rect needed = step.needed(region);
    // Steps that would preferably run on the whole image process everything that they read, not
    // only the region that they make.
    const std::int64_t worked_on =
        step.plan().runs_whole ? std::max(region.pixels(), needed.pixels()) : region.pixels();
    cost.ns += static_cast<double>(worked_on) * step.plan().cost_ns;
    std::int64_t pixel = 0;
    for (const LayerSpec& layer : step.output().layers)
      pixel = std::max<std::int64_t>(pixel, layer.channel_count() * std::int64_t{sizeof(float)});
    cost.bytes += region.pixels() * pixel;
    region = needed;
  }
  cost.source = region;
  return cost;
}

int rows_held(Steps steps, const TileSize& tile) {
  if (steps.empty()) return 1;
  const TileGrid grid(window_of(steps), tile);
  std::vector<Rect> needed;
  for (int row = 0; row < grid.rows(); ++row)
    needed.push_back(needed_of_input(steps, grid.row(row)));
  // The first row that this row of tiles or a later one needs.
  std::vector<int> from(needed.size() + 1, INT_MAX);
  for (std::size_t row = needed.size(); row-- > 0;)
    from[row] = needed[row].empty() ? from[row + 1] : std::min(from[row + 1], needed[row].y);
  int most = 0, last = INT_MIN;
  for (std::size_t row = 0; row < needed.size(); ++row) {
    if (!needed[row].empty()) last = std::max(last, needed[row].bottom());
    if (from[row] < last) most = std::max(most, last - from[row]);
  }
  return most;
}

BandsUnderWay bands_under_way(Steps steps, int threads) {
  constexpr std::int64_t largest = std::int64_t{1} << 30;
  const TileGrid bands(window_of(steps), {window_of(steps).width, band_rows});
  const std::int64_t bytes = cost_of(steps, bands.row(bands.rows() / 2)).bytes;
  const std::int64_t count = std::clamp<std::int64_t>(largest / bytes, 1, threads);
  return {static_cast<int>(count), count * bytes};
}

void run_tiles(Steps steps, const Queue& queue, const RowFlow& flow, const Layers& wanted,
               const TileSize& tile, std::int64_t tile_bytes) {
  const Rect window = window_of(steps);
  const TileGrid grid(window, tile);
  const Queue serial = queue.serial();  // tiles are the items that threads process
  const RegionMaker maker(steps, serial, flow.source, flow.ready);
  TileProgress progress(grid, tile.height, flow.ready, flow.done);
  progress.release_source([&](int row) {
    const Rect needed = needed_of_input(steps, grid.row(row));
    return needed.empty() ? INT_MAX : needed.y - flow.source.spec().data_window.y;
  });
  const auto make = [&](int number) {
    const Rect region = grid.tile(number);
    try {
      flow.done.wait_for_room(region.y - window.y);
      for (int layer = 0; layer < static_cast<int>(wanted.size()); ++layer)
        if (wanted[static_cast<std::size_t>(layer)])
          maker.make_in_parts(layer, frame_over(flow.target, layer, window).cropped(region),
                              tile_bytes);
    } catch (...) {
      // otherwise tiles that wait for room would wait for rows that never come
      flow.done.abandon();
      throw;
    }
    progress.finish(number);
  };
  const bool are_bands = tile.width >= window.width && tile_bytes == INT64_MAX;
  queue.for_each(grid.count(), make,
                 are_bands ? bands_under_way(steps, queue.threads()).count : queue.threads());
}

}  // namespace cuimg

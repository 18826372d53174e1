// SPDX-License-Identifier: Apache-2.0
#include "pipeline/execute/stretches.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "pipeline/execute/card_tiles.h"

namespace cuimg {
namespace {

struct TileChoice {
  TileSize tile;
  double ns;
  bool has_room = true;
  bool is_whole = false;  ///< Stretch::is_whole
  int lanes = 1;          ///< Stretch::lanes

  bool is_better_than(const TileChoice& other) const {
    return has_room != other.has_room ? has_room : ns < other.ns;
  }
};

// The fastest choice that fits; if none fits, the one that needs least memory.
class BestTile {
 public:
  explicit BestTile(std::int64_t room) : room_(room) {}
  // @param bytes of the tiles of all lanes.
  void consider(const TileChoice& choice, std::int64_t bytes) {
    if (bytes <= room_ && (!fastest_ || choice.ns < fastest_->ns)) fastest_ = choice;
    if (bytes >= least_bytes_) return;
    least_bytes_ = bytes;
    smallest_ = choice;
    smallest_.has_room = false;
  }
  TileChoice choice() const { return fastest_.value_or(smallest_); }

 private:
  const std::int64_t room_;
  std::optional<TileChoice> fastest_;
  TileChoice smallest_{};
  std::int64_t least_bytes_ = std::numeric_limits<std::int64_t>::max();
};

// Bands, and tiles for the CPU. Wide tiles read as few rows at a time as high ones, and more of
// each.
std::vector<TileSize> tile_sizes(const Rect& window) {
  constexpr int largest = 1024, smallest = 16;
  std::vector<TileSize> sizes = {{window.width, band_rows}};
  // Of sizes that the window clips to the same size, the smallest is enough.
  for (int height = largest; height >= smallest; height /= 2) {
    if (height / 2 >= std::max(window.height, smallest)) continue;
    for (int width = largest * largest / height; width >= height; width /= 4)
      if (width / 4 < std::max(window.width, height)) sizes.push_back({width, height});
  }
  return sizes;
}

// Bands and square tiles.
std::vector<TileSize> card_tile_sizes(const Rect& window) {
  constexpr int largest = 32768, smallest = 16;
  std::vector<TileSize> sizes;
  for (int side = largest; side >= smallest; side /= 2) {
    sizes.push_back({window.width, side});
    sizes.push_back({side, side});
  }
  return sizes;
}

// For an image that is written page by page to a scratch file and read again: 12 measured on a
// virtual machine with 2 cores (zoneplate, blur, rotate, resize of 20000x20000 with --max-memory
// 300M and the blur's result in /var/tmp, 2026-11-23). A copy in memory takes a tenth of that.
constexpr double scratch_ns_per_byte = 10;
// The calls for a tile, for each step.
constexpr double tile_overhead_ns = 20'000;
// Frames that are too large to be kept for the next tile (device/frame.cpp) need new pages.
constexpr std::int64_t kept_bytes = std::int64_t{1} << 24;
constexpr double new_page_ns_per_byte = 0.25;
// A card's steps are bound by its memory, and its copies by the bus.
constexpr double card_ns_per_pixel = 0.01, bus_ns_per_byte = 0.1, bus_ns_per_pixel = 0.6;
// With two lanes one tile is copied to the card while another is copied back, instead of one after
// the other; 0.5 would be ideal. Smaller tiles read more of their neighbours, and the host's side
// of the copies is shared: measured on an H200, half-size tiles for a second lane are no faster.
constexpr double two_lanes_share = 0.8;

class Chooser {
 public:
  Chooser(Steps steps, const Spec& source, const Room& room)
      : steps_(steps), source_(source), room_(room) {}

  std::vector<Stretch> choose() const {
    // For each number of first steps: the shortest time, and the stretch that ends there.
    constexpr double never = std::numeric_limits<double>::infinity();
    std::vector<double> best(steps_.size() + 1, never);
    std::vector<Stretch> ends(steps_.size() + 1);
    best[0] = 0;
    for (std::size_t end = 1; end <= steps_.size(); ++end)
      for (std::size_t first = 0; first < end; ++first) {
        const std::optional<TileChoice> choice = stretch(first, end);
        if (!choice) continue;
        const double ns = best[first] + between_ns(first) + choice->ns;
        if (ns >= best[end]) continue;
        best[end] = ns;
        ends[end] = {first, end - first, choice->tile, choice->is_whole, choice->lanes};
      }
    std::vector<Stretch> result;
    for (std::size_t end = steps_.size(); end > 0; end = result.back().first)
      result.push_back(ends[end]);
    std::ranges::reverse(result);
    return result;
  }

 private:
  bool must_run_whole(std::size_t step) const {
    const OperationPlan& plan = operation(steps_, step).plan();
    return plan.runs_whole && !plan.works_in_tiles;
  }
  // Whether the step needs a complete image before it.
  bool must_begin(std::size_t step) const {
    return steps_[step].wants_whole_input() && !operation(steps_, step).plan().works_in_tiles;
  }

  // The time for the image before a step. The source is decoded anyway.
  double between_ns(std::size_t step) const {
    return step == 0 ? 0 : image_ns(operation(steps_, step - 1).output());
  }
  double image_ns(const Spec& image) const {
    const std::size_t bytes = image.pixel_bytes();
    if (room_.on_card) return static_cast<double>(bytes) * bus_ns_per_byte;
    const bool fits = bytes <= room_.memory_bytes / 8;
    return static_cast<double>(bytes) * (fits ? scratch_ns_per_byte / 10 : scratch_ns_per_byte);
  }

  // The fastest way from an image before the first step to one after the last, if there is one.
  std::optional<TileChoice> stretch(std::size_t first, std::size_t end) const {
    for (std::size_t step = first + 1; step < end; ++step)
      if (must_begin(step)) return std::nullopt;
    if (must_run_whole(first))
      return end > first + 1 ? std::nullopt : std::optional(whole_image(first));
    if (room_.on_card) return fastest_on_card(first, end);
    const TileChoice in_tiles = fastest(first, end);
    if (end > first + 1 || !operation(steps_, first).plan().runs_whole) return in_tiles;
    const TileChoice whole = whole_image(first);
    return whole.is_better_than(in_tiles) ? whole : in_tiles;
  }

  // One step over whole images, in files if memory has no room for them. If tiles are much smaller
  // than the area they read around them, most of the work is repeated many times.
  TileChoice whole_image(std::size_t step) const {
    const Spec& output = operation(steps_, step).output();
    const Rect& window = output.data_window;
    TileChoice choice{{window.width, window.height}, cost_of(steps_.subspan(step, 1), window).ns};
    choice.is_whole = true;
    if (step == 0) choice.ns += image_ns(source_);
    if (step + 1 == steps_.size()) choice.ns += image_ns(output);
    return choice;
  }

  // The tile size with the least work, including work that tiles repeat and the overhead of small
  // tiles.
  TileChoice fastest_on_card(std::size_t first, std::size_t end) const {
    const Steps steps = steps_.subspan(first, end - first);
    const Spec& source = first == 0 ? source_ : operation(steps_, first - 1).output();
    const Rect& window = window_of(steps);
    BestTile best(room_.tile_bytes());
    for (const TileSize& tile : card_tile_sizes(window)) {
      const Rect region = intersection(
          {window.x + std::max(0, window.width - tile.width) / 2,
           window.y + std::max(0, window.height - tile.height) / 2, tile.width, tile.height},
          window);
      const Regions regions = needed_regions(steps, source.data_window, region);
      const std::int64_t bytes = bytes_on_card(steps, source, regions);
      double ns = static_cast<double>(std::max<std::int64_t>(0, regions.front().pixels())) *
                      bus_ns_per_pixel +
                  tile_overhead_ns * static_cast<double>(steps.size() + 1);
      for (std::size_t i = 0; i < steps.size(); ++i)
        ns += static_cast<double>(regions[i + 1].pixels()) * card_ns_per_pixel;
      ns *= static_cast<double>(window.pixels()) /
            std::max(1.0, static_cast<double>(region.pixels()));
      best.consider({tile, ns}, bytes);
      const bool is_one = tile.width >= window.width && tile.height >= window.height;
      if (room_.lanes > 1 && !is_one)
        best.consider({.tile = tile, .ns = two_lanes_share * ns, .lanes = 2}, 2 * bytes);
    }
    return best.choice();
  }

  TileChoice fastest(std::size_t first, std::size_t end) const {
    const Steps steps = steps_.subspan(first, end - first);
    const Rect& window = window_of(steps);
    const bool is_last = end == steps_.size();
    BestTile best(room_.tile_bytes());
    for (const TileSize& tile : tile_sizes(window)) {
      if (is_last && !rows_fit(steps, tile)) continue;
      if (must_begin(first) && !is_compact(tile)) continue;
      RegionCost cost = cost_of_all(steps, window, tile);
      if (first == 0) cost.ns += source_ns(steps, tile);
      best.consider({tile, cost.ns}, std::max(cost.bytes, mapped_bytes(first, cost.source)));
    }
    return best.choice();
  }

  // If pixels may read anywhere, neighbouring pixels mostly read neighbouring places, so a compact
  // tile reads fewer of the file's pages than a row does.
  static bool is_compact(const TileSize& tile) { return tile.width <= 4 * tile.height; }

  // A row of pixels is only complete when its row of tiles is: two rows of tiles are in memory.
  bool rows_fit(Steps steps, const TileSize& tile) const {
    constexpr int least = 16;
    return tile.height <= least ||
           few_rows_fit(steps.back().operation->output(), 2 * tile.height, room_);
  }

  // The bytes that a tile maps of the file with the image before a step.
  std::int64_t mapped_bytes(std::size_t step, const Rect& read) const {
    // mapped by the system for each row
    constexpr std::int64_t mapped_around = std::int64_t{1} << 16;
    if (read.empty() || must_begin(step)) return 0;
    const Spec& image = step == 0 ? source_ : operation(steps_, step - 1).output();
    const auto bytes = static_cast<std::int64_t>(image.pixel_bytes());
    const std::int64_t row = bytes / std::max(1, image.data_window.height);
    const std::int64_t pixel = row / std::max(1, image.data_window.width);
    return read.height * std::min(row, read.width * pixel + mapped_around);
  }

  // The time for storing the whole source if its rows are not used in order.
  double source_ns(Steps steps, const TileSize& tile) const {
    if (source_.data_window.empty() || few_rows_fit(source_, rows_held(steps, tile), room_))
      return 0;
    return image_ns(source_);
  }

  // The bytes of the largest tile, and the time of all, extrapolated from some of them.
  static RegionCost cost_of_all(Steps steps, const Rect& window, const TileSize& tile) {
    constexpr std::pair<double, double> samples[] = {{0.5, 0.5}, {0.2, 0.3}, {0.9, 0.7}};
    RegionCost all;
    double pixels = 0;
    for (const auto& [across, down] : samples) {
      const int left = window.x + static_cast<int>(across * std::max(0, window.width - tile.width));
      const int top = window.y + static_cast<int>(down * std::max(0, window.height - tile.height));
      const Rect region = intersection({left, top, tile.width, tile.height}, window);
      const RegionCost cost = cost_of(steps, region);
      all.bytes = std::max(all.bytes, cost.bytes);
      if (cost.source.pixels() > all.source.pixels()) all.source = cost.source;
      all.ns += cost.ns + tile_overhead_ns * static_cast<double>(steps.size());
      if (cost.bytes > kept_bytes) all.ns += new_page_ns_per_byte * static_cast<double>(cost.bytes);
      pixels += static_cast<double>(region.pixels());
    }
    all.ns *= static_cast<double>(window.pixels()) / std::max(1.0, pixels);
    return all;
  }

  Steps steps_;
  const Spec& source_;
  Room room_;
};

}  // namespace

std::int64_t Room::tile_bytes() const {
  // On the CPU half of the memory is for floats, and steps use as much internally as there is
  // between them.
  const std::uint64_t shares = on_card ? 1 : 4 * static_cast<std::uint64_t>(std::max(1, threads));
  return static_cast<std::int64_t>(
      std::min<std::uint64_t>(memory_bytes / shares, std::numeric_limits<std::int64_t>::max()));
}

bool few_rows_fit(const Spec& image, int rows, const Room& room) {
  const auto height = static_cast<std::size_t>(std::max(1, image.data_window.height));
  return image.pixel_bytes() / height * static_cast<std::size_t>(rows) <= room.memory_bytes / 8;
}

std::vector<Stretch> stretches(Steps steps, const Spec& source, const Room& room) {
  return Chooser(steps, source, room).choose();
}

}  // namespace cuimg

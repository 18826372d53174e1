// SPDX-License-Identifier: Apache-2.0
#include "stages/warp/texels_read.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/math/ceil_div.h"
#include "kernels/warp/footprint.h"
#include "stages/warp/warp.h"

namespace cuimg {
namespace {

// The texel ranges are widened pixel by pixel, with the same positions and slopes that make the
// pixels.
class Reads {
 public:
  explicit Reads(bool shrinks) : shrinks_(shrinks) {}

  void add(const WarpPosition& at, const WarpDerivative& slope) {
    left_ = std::min(left_, at.x), right_ = std::max(right_, at.x);
    top_ = std::min(top_, at.y), bottom_ = std::max(bottom_, at.y);
    if (shrinks_ && !reads_unfiltered(slope)) add_footprint(slope);
  }

  TexelRange columns() const { return range(left_, right_, reach_x_); }
  TexelRange rows() const { return range(top_, bottom_, reach_y_); }

 private:
  void add_footprint(const WarpDerivative& slope) {
    const Footprint ellipse = footprint_of(slope, 0);
    all_ = all_ || !(ellipse.reach_x < 0x1p20f && ellipse.reach_y < 0x1p20f);
    if (all_) return;
    reach_x_ = std::max(reach_x_, static_cast<int>(ellipse.reach_x) + 1);
    reach_y_ = std::max(reach_y_, static_cast<int>(ellipse.reach_y) + 1);
  }
  TexelRange range(std::int64_t low, std::int64_t high, int reach) const {
    // A cubic read begins one texel before the position's and ends two behind it; one more for
    // positions that are rounded to the next texel.
    constexpr int before = 2, behind = 3;
    if (all_) return TexelRange::all();
    if (low > high) return {};
    return TexelRange::clamped((low >> 32) - before - reach, (high >> 32) + behind + reach + 1);
  }

  const bool shrinks_;
  bool all_ = false;
  std::int64_t left_ = INT64_MAX, right_ = INT64_MIN, top_ = INT64_MAX, bottom_ = INT64_MIN;
  int reach_x_ = 0, reach_y_ = 0;
};

template <class Map>
void add_pixel(const Map& map, int x, int y, Reads& reads) {
  WarpPosition at;
  WarpDerivative slope;
  if (map.at(x, y, at, slope)) reads.add(at, slope);
}

template <class Map>
void add_corners(const Map& map, const Rect& region, Reads& reads) {
  for (const int y : {region.y, region.bottom() - 1})
    for (const int x : {region.x, region.right() - 1}) add_pixel(map, x, y, reads);
}

// Whether all divisors of the region's pixels are far enough from 0 for rounding not to matter.
bool is_before_the_eye(const ProjectiveMap& map, const Rect& region) {
  constexpr double much_larger = 1e6;
  for (const int y : {region.y, region.bottom() - 1})
    for (const int x : {region.x, region.right() - 1}) {
      const double a = map.h[6] * (x - map.left), b = map.h[7] * (y - map.top), c = map.h[8];
      if (!((a + b + c) * much_larger > std::fabs(a) + std::fabs(b) + std::fabs(c))) return false;
    }
  return true;
}

// Sums of integers have their extremes in the corners.
bool corners_are_enough(const AffineMap&, const Rect&, bool /*shrinks*/) { return true; }
// Quotients of sums also do if their divisors are positive, apart from the rounding of doubles,
// which is far below the texel that is added on each side. Slopes may have their extremes anywhere.
bool corners_are_enough(const ProjectiveMap& map, const Rect& region, bool shrinks) {
  return !shrinks && is_before_the_eye(map, region);
}
template <class Map>
bool corners_are_enough(const Map&, const Rect&, bool /*shrinks*/) {
  return false;
}

// The texels that are inside a texture's axis.
std::pair<int, int> inside(const TexelRange& texels, int size, bool periodic) {
  if (periodic && (texels.low < 0 || texels.high > size)) return {0, size};
  return {std::clamp(texels.low, 0, size - 1), std::clamp(texels.high, 1, size)};
}

// Small enough to distinguish the texels of different tiles, and few enough to need little memory.
int block_side(const Rect& window) {
  constexpr int smallest = 16, most_blocks = 1 << 16;
  const auto count = [&](int side) {
    return (std::int64_t{window.width} / side + 1) * (std::int64_t{window.height} / side + 1);
  };
  int side = smallest;
  while (count(side) > most_blocks) side *= 2;
  return side;
}

}  // namespace

TexelsRead::TexelsRead(const WarpPlan& plan, const Rect& window)
    : plan_(plan),
      window_(window),
      side_(block_side(window)),
      columns_(ceil_div(window.width, side_)) {}

Rect TexelsRead::operator()(const Rect& region) const {
  const Rect& texture = plan_.texture;
  if (region.empty()) return {};
  std::optional<Texels> read = of_corners(region);
  if (!read) read = of_blocks(region);
  if (read->across.empty()) return {texture.x, texture.y, 1, 1};
  const auto [left, right] = inside(read->across, texture.width, plan_.is_periodic());
  const auto [top, bottom] = inside(read->down, texture.height, plan_.is_periodic());
  return rect_from_edges(texture.x + left, texture.y + top, texture.x + right, texture.y + bottom);
}

std::optional<TexelsRead::Texels> TexelsRead::of_corners(const Rect& region) const {
  Reads reads(plan_.shrinks);
  bool enough = false;
  plan_.map.visit([&](const auto& map) {
    enough = corners_are_enough(map, region, plan_.shrinks);
    if (enough) add_corners(map, region, reads);
  });
  if (!enough) return std::nullopt;
  return Texels{reads.columns(), reads.rows()};
}

TexelsRead::Texels TexelsRead::of_blocks(const Rect& region) const {
  std::call_once(made_, [&] {
    blocks_ = std::vector<Block>(static_cast<std::size_t>(columns_) *
                                 static_cast<std::size_t>(ceil_div(window_.height, side_)));
  });
  Texels all;
  const auto number = [&](int offset) { return offset / side_; };
  for (int row = number(region.y - window_.y); row <= number(region.bottom() - 1 - window_.y);
       ++row)
    for (int column = number(region.x - window_.x);
         column <= number(region.right() - 1 - window_.x); ++column) {
      const Texels read = of_block(column, row);
      all.across.include(read.across), all.down.include(read.down);
    }
  return all;
}

TexelsRead::Texels TexelsRead::of_block(int column, int row) const {
  Block& block = blocks_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                         static_cast<std::size_t>(column)];
  if (block.state.load(std::memory_order_acquire) == Block::known) return block.texels;
  const Rect pixels =
      intersection({window_.x + column * side_, window_.y + row * side_, side_, side_}, window_);
  Reads reads(plan_.shrinks);
  plan_.map.visit([&](const auto& map) {
    for (int y = pixels.y; y < pixels.bottom(); ++y)
      for (int x = pixels.x; x < pixels.right(); ++x) add_pixel(map, x, y, reads);
  });
  const Texels read = {reads.columns(), reads.rows()};
  int expected = Block::unknown;  // two threads may compute the same; one of them stores it
  if (block.state.compare_exchange_strong(expected, Block::written)) {
    block.texels = read;
    block.state.store(Block::known, std::memory_order_release);
  }
  return read;
}

}  // namespace cuimg

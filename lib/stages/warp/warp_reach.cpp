// SPDX-License-Identifier: Apache-2.0
// Which texels a region of a warped picture reads: pictures larger than memory are made in tiles,
// each from the part of the input that it needs.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "kernels/warp/footprint.h"
#include "stages/warp/warp.h"

namespace cuimg {
namespace {

// Widened pixel by pixel, with the positions and slopes by which the pixels are made.
class Reads {
 public:
  explicit Reads(bool shrinks) : shrinks_(shrinks) {}

  void add(const WarpPosition& at, const WarpDerivative& slope) {
    left_ = std::min(left_, at.x), right_ = std::max(right_, at.x);
    top_ = std::min(top_, at.y), bottom_ = std::max(bottom_, at.y);
    if (shrinks_ && !reads_unfiltered(slope)) add_footprint(slope);
  }

  bool shrinks() const { return shrinks_; }
  bool none() const { return left_ > right_; }
  bool all() const { return all_; }
  std::pair<std::int64_t, std::int64_t> columns() const { return texels(left_, right_, reach_x_); }
  std::pair<std::int64_t, std::int64_t> rows() const { return texels(top_, bottom_, reach_y_); }

 private:
  void add_footprint(const WarpDerivative& slope) {
    const Footprint ellipse = footprint_of(slope, 0);
    all_ = all_ || !(ellipse.reach_x < 0x1p20f && ellipse.reach_y < 0x1p20f);
    if (all_) return;
    reach_x_ = std::max(reach_x_, static_cast<int>(ellipse.reach_x) + 1);
    reach_y_ = std::max(reach_y_, static_cast<int>(ellipse.reach_y) + 1);
  }
  static std::pair<std::int64_t, std::int64_t> texels(std::int64_t low, std::int64_t high,
                                                      int reach) {
    // A cubic read begins one before the position's texel and ends two behind; one more for
    // positions that are rounded to the next texel.
    constexpr int before = 2, behind = 3;
    return {(low >> 32) - before - reach, (high >> 32) + behind + reach + 1};
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
void add_pixels(const Map& map, const Rect& region, Reads& reads) {
  for (int y = region.y; y < region.bottom(); ++y)
    for (int x = region.x; x < region.right(); ++x) add_pixel(map, x, y, reads);
}

template <class Map>
void add_corners(const Map& map, const Rect& region, Reads& reads) {
  for (const int y : {region.y, region.bottom() - 1})
    for (const int x : {region.x, region.right() - 1}) add_pixel(map, x, y, reads);
}

// Sums of integers have their extremes in the corners,
void add_positions(const AffineMap& map, const Rect& region, Reads& reads) {
  add_corners(map, region, reads);
}

// Whether no divisor of the region's pixels is near 0, where rounding would show.
bool is_before_the_eye(const ProjectiveMap& map, const Rect& region) {
  constexpr double much_larger = 1e6;
  for (const int y : {region.y, region.bottom() - 1})
    for (const int x : {region.x, region.right() - 1}) {
      const double a = map.h[6] * (x - map.left), b = map.h[7] * (y - map.top), c = map.h[8];
      if (!((a + b + c) * much_larger > std::fabs(a) + std::fabs(b) + std::fabs(c))) return false;
    }
  return true;
}

// and so have quotients of sums whose divisors are positive, but for the rounding of doubles: far
// below the texel that is added on each side. Slopes may have theirs anywhere.
void add_positions(const ProjectiveMap& map, const Rect& region, Reads& reads) {
  if (reads.shrinks() || !is_before_the_eye(map, region)) return add_pixels(map, region, reads);
  add_corners(map, region, reads);
}

void add_positions(const RadialMap& map, const Rect& region, Reads& reads) {
  add_pixels(map, region, reads);
}
void add_positions(const LensMap& map, const Rect& region, Reads& reads) {
  add_pixels(map, region, reads);
}

// @param low, high texels, high exclusive.
std::pair<int, int> inside(std::pair<std::int64_t, std::int64_t> texels, int size, bool periodic) {
  const auto [low, high] = texels;
  if (periodic && (low < 0 || high > size)) return {0, size};
  return {static_cast<int>(std::clamp<std::int64_t>(low, 0, size - 1)),
          static_cast<int>(std::clamp<std::int64_t>(high, 1, size))};
}

}  // namespace

Rect texels_read(const WarpPlan& plan, const Rect& region) {
  const Rect& texture = plan.texture;
  if (region.empty()) return {};
  Reads reads(plan.shrinks);
  plan.map.visit([&](const auto& map) { add_positions(map, region, reads); });
  if (reads.all()) return texture;
  if (reads.none()) return {texture.x, texture.y, 1, 1};
  const auto [left, right] = inside(reads.columns(), texture.width, plan.is_periodic());
  const auto [top, bottom] = inside(reads.rows(), texture.height, plan.is_periodic());
  return rect_from_edges(texture.x + left, texture.y + top, texture.x + right, texture.y + bottom);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// A rectangle of pixels in absolute coordinates; right and bottom are one past the last pixel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace cuimg {

/// Larger sides are refused before anything is allocated.
inline constexpr int largest_side = 1 << 17;
/// Windows are within this distance of 0, as in OpenEXR.
inline constexpr int farthest_edge = 1 << 30;

struct Rect {
  int x = 0, y = 0;
  int width = 0, height = 0;

  constexpr int right() const { return x + width; }
  constexpr int bottom() const { return y + height; }
  constexpr bool empty() const { return width <= 0 || height <= 0; }
  constexpr std::int64_t pixels() const {
    return empty() ? 0 : static_cast<std::int64_t>(width) * height;
  }
  constexpr bool contains(const Rect& r) const {
    return r.empty() || (r.x >= x && r.y >= y && r.right() <= right() && r.bottom() <= bottom());
  }
  friend constexpr bool operator==(const Rect&, const Rect&) = default;
};

/// The rectangle with these edges; empty ones have width and height 0.
constexpr Rect rect_from_edges(int left, int top, int right, int bottom) {
  return {left, top, std::max(0, right - left), std::max(0, bottom - top)};
}

constexpr Rect intersection(const Rect& a, const Rect& b) {
  return rect_from_edges(std::max(a.x, b.x), std::max(a.y, b.y), std::min(a.right(), b.right()),
                         std::min(a.bottom(), b.bottom()));
}

/// The rectangle moved right and down by that much.
constexpr Rect moved(const Rect& r, int dx, int dy) {
  return {r.x + dx, r.y + dy, r.width, r.height};
}

/// The rectangle enlarged by that many pixels on each side.
constexpr Rect grown(const Rect& r, int dx, int dy) {
  return {r.x - dx, r.y - dy, r.width + 2 * dx, r.height + 2 * dy};
}

/// The smallest rectangle that contains both; an empty one adds nothing.
constexpr Rect bounding(const Rect& a, const Rect& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return rect_from_edges(std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.right(), b.right()),
                         std::max(a.bottom(), b.bottom()));
}

/// "640x480".
std::string size_text(const Rect& r);
/// "640x480+0-8": the size, and the corner relative to 0, 0.
std::string window_text(const Rect& r);

/// The largest size, at 0, 0, with which a picture fits into `most_width` times `most_height`
/// square pixels.
/// @param picture not empty. @param pixel_aspect the width of its pixels relative to their height.
/// @param largest_scale the largest height of a pixel of the picture, in pixels of the result.
Rect fitted_size(const Rect& picture, float pixel_aspect, int most_width, int most_height,
                 double largest_scale = 2.0 * largest_side);

}  // namespace cuimg

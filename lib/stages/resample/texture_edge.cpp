// SPDX-License-Identifier: Apache-2.0
// The border's rule (kernels/texture/border.h) for the one texel that the texture unit reads beyond
// an edge.
#include "stages/resample/texture_edge.h"

#include <cstring>

namespace cuimg {
namespace {

Padding::Edge edge(bool at_data_edge, bool meets_display, Border border) {
  if (!at_data_edge) return Padding::Edge::none;
  if (!meets_display || border == Border::border) return Padding::Edge::zero;
  // The unit reads over an edge by one texel, whose mirror image is the edge itself.
  return border == Border::wrap ? Padding::Edge::opposite : Padding::Edge::none;
}

void fill(std::byte* target, const std::byte* opposite, std::size_t bytes, Padding::Edge edge) {
  if (edge == Padding::Edge::zero)
    std::memset(target, 0, bytes);
  else if (edge == Padding::Edge::opposite)
    std::memcpy(target, opposite, bytes);
}

}  // namespace

Rect Padding::padded(const Rect& r) const {
  return rect_from_edges(r.x - (left != Edge::none), r.y - (top != Edge::none),
                         r.right() + (right != Edge::none), r.bottom() + (bottom != Edge::none));
}

Padding padding_for_texture(const ResizePlan& plan, const Rect& region) {
  const Rect& data = plan.data_window;
  const Rect& display = plan.display_window;
  // Which edges reach, or pass, the display window's. Wrapping needs both ends.
  bool left = data.x <= display.x, right = data.right() >= display.right();
  bool top = data.y <= display.y, bottom = data.bottom() >= display.bottom();
  if (plan.border == Border::wrap) {
    left = right = left && right;
    top = bottom = top && bottom;
  }
  return {edge(region.x == data.x, left, plan.border),
          edge(region.right() == data.right(), right, plan.border),
          edge(region.y == data.y, top, plan.border),
          edge(region.bottom() == data.bottom(), bottom, plan.border)};
}

Frame pad_for_texture(const ResizePlan& plan, const Frame& source) {
  const Rect& r = source.region();
  const Padding padding = padding_for_texture(plan, r);
  if (!padding.any()) return source;
  const Rect p = padding.padded(r);
  const Frame result = Frame::new_host(source.format().over(p));
  const std::size_t pixel = result.format().pixel_bytes();
  for (int y = r.y; y < r.bottom(); ++y) {
    std::memcpy(result.pixel(r.x, y), source.pixel(r.x, y),
                pixel * static_cast<std::size_t>(r.width));
    fill(result.pixel(p.x, y), source.pixel(r.right() - 1, y), pixel, padding.left);
    fill(result.pixel(p.right() - 1, y), source.pixel(r.x, y), pixel, padding.right);
  }
  const std::size_t row = pixel * static_cast<std::size_t>(p.width);
  fill(result.pixel(p.x, p.y), result.pixel(p.x, r.bottom() - 1), row, padding.top);
  fill(result.pixel(p.x, p.bottom() - 1), result.pixel(p.x, r.y), row, padding.bottom);
  return result;
}

}  // namespace cuimg

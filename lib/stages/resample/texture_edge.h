// SPDX-License-Identifier: Apache-2.0
// Adds one texel around a frame if the texture unit would clamp but the picture's border rules
// differ.
#pragma once

#include "device/frame.h"
#include "stages/resample/resize_plan.h"

namespace cuimg {

/// The padding that a frame needs at its edges so that reads with clamped addresses follow the
/// plan.
struct Padding {
  enum class Edge : std::uint8_t { none, zero, opposite };
  Edge left = Edge::none, right = Edge::none, top = Edge::none, bottom = Edge::none;

  bool any() const {
    return left != Edge::none || right != Edge::none || top != Edge::none || bottom != Edge::none;
  }
  Rect padded(const Rect& region) const;
};

/// For a frame that covers `region` of the plan's data window.
Padding padding_for_texture(const ResizePlan& plan, const Rect& region);

/// The host frame itself, or a copy with the padding around it.
Frame pad_for_texture(const ResizePlan& plan, const Frame& source);

}  // namespace cuimg

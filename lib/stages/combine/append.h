// SPDX-License-Identifier: Apache-2.0
// Pictures put together in one frame, on either device.
#pragma once

#include <span>

#include "stages/pass/border_color.h"
#include "stages/stage.h"

namespace cuimg {

/// A part of the target and what it shows.
struct Placed {
  Rect place;    ///< Its frame.
  Frame pixels;  ///< Of the target's form, where they lie in the target; zero beyond them.
};

/// @name Every pixel of the target; `fill` where no picture has its place.
/// @{
void place_on_cpu(std::span<const Placed> pictures, const StoredTexel& fill, const Frame& target);
void place_on_cuda(const Queue& queue, std::span<const Placed> pictures, const StoredTexel& fill,
                   const Frame& target);
/// @}

}  // namespace cuimg

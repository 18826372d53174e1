// SPDX-License-Identifier: Apache-2.0
// Combines pictures into one frame, on either device.
#pragma once

#include <span>

#include "stages/pass/border_color.h"
#include "stages/stage.h"

namespace cuimg {

/// A part of the target and the pixels it shows.
struct Placed {
  Rect place;    ///< Its frame.
  Frame pixels;  ///< In the target's form and position; pixels beyond them are zero.
};

/// @name Writes every pixel of the target; pixels that no picture covers get `fill`.
/// @{
void place_on_cpu(std::span<const Placed> pictures, const StoredTexel& fill, const Frame& target);
void place_on_cuda(const Queue& queue, std::span<const Placed> pictures, const StoredTexel& fill,
                   const Frame& target);
/// @}

}  // namespace cuimg

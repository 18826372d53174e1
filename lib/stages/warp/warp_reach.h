// SPDX-License-Identifier: Apache-2.0
// Which texels a region of a warped picture reads: pictures larger than memory are made in tiles,
// each from the part of the input that it needs.
#pragma once

#include "image/rect.h"
#include "stages/warp/warp.h"

namespace cuimg {

/// Some more than the texels that the region's pixels read where there are no halved pictures; at
/// least one. What lies beyond the edge counts as the border's rule has it, and with
/// Address::border as with clamp: the texture unit may look at such texels and weigh them with 0.
/// @param region of the output. @returns a part of plan.texture.
Rect texels_read(const WarpPlan& plan, const Rect& region);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// A lens's table for kernels/warp/radial_map.h.
#pragma once

#include <optional>

#include "image/rect.h"
#include "kernels/warp/warp_maps.h"

namespace cuimg {

/// A table that gives the same positions to 2^-14 texel within `window`; the lens's (left, top) may
/// lie anywhere in it.
/// @returns nothing if no table can represent the lens: with shear, if it folds the picture or
/// almost does, or if the picture reaches farther than 2^16 texels from the centre.
std::optional<RadialMap> radial_map(const LensMap& lens, const Rect& window);

}  // namespace cuimg

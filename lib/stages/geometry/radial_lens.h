// SPDX-License-Identifier: Apache-2.0
// A lens's table for kernels/warp/radial_map.h.
#pragma once

#include <optional>

#include "image/rect.h"
#include "kernels/warp/warp_maps.h"

namespace cuimg {

/// The same positions to 2^-14 texel within `window`, in which the lens's (left, top) lies
/// anywhere.
/// @returns nothing where no table holds them: lenses that shear, that fold the picture or almost
/// do, or pictures that reach farther than 2^16 texels from the centre.
std::optional<RadialMap> radial_map(const LensMap& lens, const Rect& window);

}  // namespace cuimg

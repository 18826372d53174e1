// SPDX-License-Identifier: Apache-2.0
// Finds where a picture's edge lies on the other side of a lens.
#pragma once

#include <optional>

#include "kernels/warp/lens_map.h"

namespace cuimg {

/// In texels, in the coordinates of positions: a picture of width W has its edges at -0.5 and W -
/// 0.5.
struct LensBounds {
  double left, top, right, bottom;
};
/// A rectangle of the lens's target that holds every point of the source, edges included. It is at
/// most 1/32 texel wider on each side than the smallest one.
///
/// The map and its inverse are continuous, so the source's interior is mapped to the interior of
/// its mapped edge. The edge is followed in steps. Between two points of it the curve deviates from
/// their connecting line by at most K s^2 / 8, where K is a bound of its second derivative and s
/// the step. Steps are short enough for this to be less than 1/64 texel.
/// @param width, height of the source in texels.
/// @returns nothing if the lens folds the source over, so that no target contains all of it.
std::optional<LensBounds> lens_bounds(const LensMap& lens, int width, int height);

}  // namespace cuimg

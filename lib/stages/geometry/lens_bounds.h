// SPDX-License-Identifier: Apache-2.0
// Where a picture's edge lies on the other side of a lens.
#pragma once

#include <optional>

#include "kernels/warp/lens_map.h"

namespace cuimg {

/// In texels, as positions count: a picture of width W has its edges at -0.5 and W - 0.5.
struct LensBounds {
  double left, top, right, bottom;
};
/// A rectangle of the lens's target that holds every point of the source, edges included. It is at
/// most 1/32 texel wider on each side than the smallest one.
///
/// The map and its inverse are continuous, so that the source's inside goes inside of where its
/// edge goes. The edge is followed in steps. Between two of them the curve leaves the line from
/// one to the other by at most K s^2 / 8, K being a bound of its second derivative, s the step:
/// steps are so short that this is less than 1/64 texel.
/// @param width, height of the source in texels.
/// @returns nothing where the lens folds the source over, so that no target holds all of it.
std::optional<LensBounds> lens_bounds(const LensMap& lens, int width, int height);

}  // namespace cuimg

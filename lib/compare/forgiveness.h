// SPDX-License-Identifier: Apache-2.0
// Pixels that options forgive: their values are replaced by the golden's, so later steps see no
// difference.
#pragma once

#include <cstdint>
#include <vector>

#include "compare/comparison.h"
#include "compare/limits.h"
#include "image/image.h"

namespace cuimg {

/// A byte of pixel_state's bits for each pixel of the data window, row by row.
using PixelStateMap = std::vector<std::uint8_t>;

/// Forgives pixels of a shift: the golden's value is at the result's pixel or at a neighbour of it,
/// and the result's value is at the golden's pixel or at a neighbour of that. Values must be equal,
/// or for pixels that exceed a limit on values, within those limits. Other limits do not matter.
/// @param states which pixels differ and fail. @param map null, or receives marks for forgiven
/// pixels.
/// @returns how many were forgiven.
std::uint64_t forgive_shifts(const Image& golden, Image& result, int layer,
                             const PixelStateMap& states, const Limits& limits,
                             ForgivenMap* map = nullptr);

/// Forgives pixels that smooth an edge in either picture: V. Vysniauskas, "Anti-aliased Pixel and
/// Intensity Slope Detector" (2009). Only in colour layers. @returns how many were forgiven.
std::uint64_t forgive_antialiasing(const Image& golden, Image& result, int layer,
                                   const PixelStateMap& states, ForgivenMap* map = nullptr);

/// Forgives values that are not finite in only one of the pictures. @returns how many were
/// forgiven.
std::uint64_t forgive_non_finite(const Image& golden, Image& result, int layer,
                                 ForgivenMap* map = nullptr);

/// The largest share of failing pixels in any square, in percent.
/// @param side of the squares, in pixels; squares do not extend beyond the border.
double largest_density(const PixelStateMap& states, int width, int height, int side);

}  // namespace cuimg

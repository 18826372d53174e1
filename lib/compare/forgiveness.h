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

/// Pixels of a shift: the golden's value is at the result's pixel or a neighbour of it, and the
/// result's value at the golden's pixel or a neighbour of that: equal, or of pixels that break a
/// limit of values within those limits. Other limits make no difference.
/// @param states which pixels differ and fail. @param map null, or where forgiven pixels are
/// marked.
/// @returns how many were forgiven.
std::uint64_t forgive_shifts(const Image& golden, Image& result, int layer,
                             const PixelStateMap& states, const Limits& limits,
                             ForgivenMap* map = nullptr);

/// Pixels that smooth an edge in either picture: V. Vysniauskas, "Anti-aliased Pixel and Intensity
/// Slope Detector" (2009). Of layers of colour. @returns how many were forgiven.
std::uint64_t forgive_antialiasing(const Image& golden, Image& result, int layer,
                                   const PixelStateMap& states, ForgivenMap* map = nullptr);

/// Values that are not finite in one picture alone. @returns how many were forgiven.
std::uint64_t forgive_non_finite(const Image& golden, Image& result, int layer,
                                 ForgivenMap* map = nullptr);

/// The largest share of failing pixels in any square, in percent.
/// @param side of the squares, in pixels; those at the border lie inside.
double largest_density(const PixelStateMap& states, int width, int height, int side);

}  // namespace cuimg

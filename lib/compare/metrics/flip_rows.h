// SPDX-License-Identifier: Apache-2.0
// The FLIP map of two pictures: an error from 0 to 1 for each pixel.
#pragma once

#include <optional>
#include <vector>

#include "compare/metrics/display_picture.h"
#include "compare/metrics/flip_filters.h"
#include "device/queue.h"

namespace cuimg {

/// Writes FLIP's error of two pictures of one size, or the larger of it and what `map` holds.
/// Light beyond 0 to 1 is clamped, or with an exposure tone-mapped first as HDR-FLIP does.
/// @param exposure factor on the light; absent: the pictures are of low dynamic range.
/// @param map width * height errors.
void add_flip_errors(const DisplayPicture& golden, const DisplayPicture& result,
                     const FlipFilters& filters, std::optional<float> exposure,
                     std::vector<float>& map, const Queue& queue);

}  // namespace cuimg

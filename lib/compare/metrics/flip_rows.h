// SPDX-License-Identifier: Apache-2.0
// The FLIP map of two pictures: an error from 0 to 1 for each pixel.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "compare/metrics/display_picture.h"
#include "compare/metrics/flip_filters.h"
#include "device/queue.h"

namespace cuimg {

/// Errors from 0 to 1, where they were made. Of equal pictures they lie on the processor.
struct FlipMap {
  std::vector<float> on_cpu;  ///< Row by row.
  Frame on_card;              ///< Rows of one float; empty where `on_cpu` holds them.

  /// Row by row. @param queue the map's. @throws DeviceError.
  std::vector<float> values(const Queue& queue) const;
};

/// Writes FLIP's error of two pictures of one size, or the larger of it and what `map` holds.
/// Light beyond 0 to 1 is clamped, or with an exposure tone-mapped first as HDR-FLIP does.
/// @param exposure factor on the light; absent: the pictures are of low dynamic range.
/// @param map width * height errors.
void add_flip_errors(const DisplayPicture& golden, const DisplayPicture& result,
                     const FlipFilters& filters, std::optional<float> exposure,
                     std::vector<float>& map, const Queue& queue);

/// The largest errors over all exposures, as add_flip_errors() has them, on a card.
/// @param exposures one at least. @param most_bytes what sums between the passes may take, for
/// bands of rows; a few rows are made however little it is. @returns rows of one float.
/// @throws DeviceError.
Frame flip_errors_on_cuda(const Queue& queue, const DisplayPair& shown, const FlipFilters& filters,
                          std::span<const std::optional<float>> exposures,
                          std::size_t most_bytes = std::size_t{512} << 20);

}  // namespace cuimg

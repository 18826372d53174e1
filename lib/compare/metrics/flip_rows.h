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

/// Errors from 0 to 1, on the device that computed them. For equal pictures they are on the
/// processor.
struct FlipMap {
  std::vector<float> on_cpu;  ///< Row by row.
  Frame on_card;              ///< Rows of one float per pixel; empty if `on_cpu` contains them.

  /// Row by row. @param queue the map's. @throws DeviceError.
  std::vector<float> values(const Queue& queue) const;
};

/// Writes FLIP's error of two pictures of the same size, or the maximum of it and the value in
/// `map`. Light outside 0 to 1 is clamped, or with an exposure tone-mapped first, as in HDR-FLIP.
/// @param exposure factor on the light; absent: the pictures are of low dynamic range.
/// @param map width * height errors.
void add_flip_errors(const DisplayPicture& golden, const DisplayPicture& result,
                     const FlipFilters& filters, std::optional<float> exposure,
                     std::vector<float>& map, const Queue& queue);

/// The largest errors over all exposures, computed like add_flip_errors(), on a card.
/// @param exposures at least one. @param most_bytes limit for the sums between the passes, in bands
/// of rows; however small it is, a band has a few rows. @returns rows of one float per pixel.
/// @throws DeviceError.
Frame flip_errors_on_cuda(const Queue& queue, const DisplayPair& shown, const FlipFilters& filters,
                          std::span<const std::optional<float>> exposures,
                          std::size_t most_bytes = std::size_t{512} << 20);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Colour differences of single pixels, row by row.
#pragma once

#include <cstdint>
#include <vector>

#include "compare/metrics/display_picture.h"
#include "device/queue.h"

namespace cuimg {

enum class ColorDifference : std::uint8_t { delta_e_2000, oklab_hyab };

/// The result for one row.
struct RowOfColors {
  double sum = 0;  ///< Added in the order of row_sums.h.
  float largest = 0;
};

/// @returns one result for each row. @throws DeviceError.
std::vector<RowOfColors> color_differences(ColorDifference difference, const DisplayPair& shown,
                                           const Queue& queue);
/// The same on the processor, a few rows at a time, for layers whose pictures are not needed
/// otherwise.
std::vector<RowOfColors> color_differences_of_rows(ColorDifference difference,
                                                   const ComparedLayers& layers,
                                                   const std::array<float, 3>& background);
std::vector<RowOfColors> color_differences_on_cuda(ColorDifference difference,
                                                   const DisplayPair& shown, const Queue& queue);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// What HDR-FLIP's automatic exposures need to know of a picture: its brightest and its median
// light.
#pragma once

#include "compare/metrics/display_picture.h"
#include "device/queue.h"

namespace cuimg {

struct LightRange {
  float brightest = 0;
  /// Of what is not black, where half of the picture or more is. Nothing where all is black.
  float median = 0;
};

/// flip::luminance() of the golden. @throws DeviceError.
LightRange light_range_of_golden(const DisplayPair& shown, const Queue& queue);
/// @param shown as DisplayPair has it on a card.
LightRange light_range_on_cuda(const Queue& queue, const Frame& shown);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// A picture's brightest and median light, which determine HDR-FLIP's automatic exposures.
#pragma once

#include "compare/metrics/display_picture.h"
#include "device/queue.h"

namespace cuimg {

struct LightRange {
  float brightest = 0;
  /// The median of the pixels that are not black, if at least half of the picture is black. Empty
  /// if everything is black.
  float median = 0;
};

/// For flip::luminance() of the golden. @throws DeviceError.
LightRange light_range_of_golden(const DisplayPair& shown, const Queue& queue);
/// @param shown as in DisplayPair on a card.
LightRange light_range_on_cuda(const Queue& queue, const Frame& shown);

}  // namespace cuimg

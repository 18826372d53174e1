// SPDX-License-Identifier: Apache-2.0
// Box on a card for narrow pixels: conversions, columns and rows in one pass.
#pragma once

#include "stages/filter/box.h"

namespace cuimg {

/// Queues the means of small boxes of pixels with four channels that the source
/// stores in a narrower type. @returns false, having done nothing, in all other cases.
/// @throws DeviceError.
bool box_in_tiles(CudaQueue& card, const BoxPlan& plan, const Frame& source, const Frame& target);

}  // namespace cuimg

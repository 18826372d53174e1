// SPDX-License-Identifier: Apache-2.0
// Erosion and dilation with small boxes on a card, for narrow types: both axes in one pass.
#pragma once

#include "stages/filter/morphology/morphology.h"

namespace cuimg {

/// Queues the least or greatest value of each pixel's box if the box is small: for integers and
/// halves stored in rows, and for integers with straight alpha if both frames, or only the source,
/// present them as floats. @returns false, having done nothing, in all other cases. @throws
/// DeviceError.
bool morph_in_tiles(CudaQueue& card, const MorphologyPlan& plan, const Frame& source,
                    const Frame& target);

}  // namespace cuimg

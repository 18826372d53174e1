// SPDX-License-Identifier: Apache-2.0
// Erosion and dilation by small boxes on a card, of narrow values: both axes in one pass.
#pragma once

#include "stages/filter/morphology/morphology.h"

namespace cuimg {

/// Queues the least or greatest of each pixel's box, of integers and halves in rows, where the box
/// is a small one; and of integers with straight alpha that both frames, or the source alone, are
/// seen as floats from. @returns false, having done nothing, for all else. @throws DeviceError.
bool morph_in_tiles(CudaQueue& card, const MorphologyPlan& plan, const Frame& source,
                    const Frame& target);

}  // namespace cuimg

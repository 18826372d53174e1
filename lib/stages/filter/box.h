// SPDX-License-Identifier: Apache-2.0
// box: the mean of the pixels around each pixel.
#pragma once

#include "device/queue.h"
#include "kernels/stencil/window.h"
#include "stages/warp/border_sampler.h"

namespace cuimg {

/// The window of the mean: columns first, each mean rounded to float, then rows of these means.
struct BoxPlan {
  Window across, down;
  BorderSampler borders;
};

/// @name Filters float pixels; on a card any pixels that are read as floats.
/// @param source covers the part of the data window that `target` needs.
/// @{

void box_on_cpu(const Queue& queue, const BoxPlan& plan, const Frame& source, const Frame& target);
void box_on_cuda(const Queue& queue, const BoxPlan& plan, const Frame& source, const Frame& target);
/// @}

}  // namespace cuimg

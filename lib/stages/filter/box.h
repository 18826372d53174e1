// SPDX-License-Identifier: Apache-2.0
// Box: the mean of the pixels around each pixel.
#pragma once

#include "device/queue.h"
#include "kernels/stencil/window.h"
#include "stages/warp/border_sampler.h"

namespace cuimg {

/// What is averaged: columns first, each mean rounded to float, then rows of these.
struct BoxPlan {
  Window across, down;
  BorderSampler borders;
};

/// @name Of float pixels; on a card of any that are seen as floats.
/// @param source covers what `target` needs of the data window.
/// @{

void box_on_cpu(const Queue& queue, const BoxPlan& plan, const Frame& source, const Frame& target);
void box_on_cuda(const Queue& queue, const BoxPlan& plan, const Frame& source, const Frame& target);
/// @}

}  // namespace cuimg

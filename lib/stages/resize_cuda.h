// SPDX-License-Identifier: Apache-2.0
// What resize's two CUDA files share.
#pragma once

#include "device/cuda_queue.h"
#include "stages/resize.h"

namespace cuimg {

/// ResizeMethod::weighed on a card: both frames float in pitched memory. @throws DeviceError.
void resize_weighed_on_cuda(CudaQueue& card, const ResizePlan& plan, const ResizePlan::Layer& layer,
                            const Frame& source, const Frame& target);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Copies frames within a card.
#pragma once

#include "device/cuda/cuda_queue.h"

namespace cuimg {

/// The frame itself if it is in pitched memory, otherwise a pitched copy of its array.
/// @throws DeviceError.
Frame pitched_copy(CudaQueue& queue, const Frame& frame);

/// A frame of the same form in pitched memory that covers `region`. Pixels outside `frame`, which
/// is pitched and inside the region, are zero. @throws DeviceError.
Frame enlarged_copy(CudaQueue& queue, const Frame& frame, const Rect& region);

}  // namespace cuimg

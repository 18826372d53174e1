// SPDX-License-Identifier: Apache-2.0
// Frames copied within a card.
#pragma once

#include "device/cuda/cuda_queue.h"

namespace cuimg {

/// The frame itself if it lies in pitched memory, else a copy of its array there.
/// @throws DeviceError.
Frame pitched_copy(CudaQueue& queue, const Frame& frame);

/// A frame of the same form in pitched memory that covers `region`, zero where `frame`, which is
/// pitched and inside it, is not. @throws DeviceError.
Frame enlarged_copy(CudaQueue& queue, const Frame& frame, const Rect& region);

}  // namespace cuimg

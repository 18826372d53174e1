// SPDX-License-Identifier: Apache-2.0
// Kernels that convert between three channels, as copied across the bus, and four, as stored on a
// card.
#pragma once

#include "device/cuda/cuda_frame.h"

namespace cuimg {

/// Queues the widening of `rows` tightly packed rows of three channels at `packed` (device memory)
/// into the frame's rows from `first_row` (0 is the region's top) on. The fourth channel becomes 0.
void widen_rows(CudaPixels& pixels, const void* packed, int first_row, int rows);
/// The reverse: packs three of four channels into device memory.
void pack_rows(CudaPixels& pixels, void* packed, int first_row, int rows);

}  // namespace cuimg

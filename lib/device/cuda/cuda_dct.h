// SPDX-License-Identifier: Apache-2.0
// Converts blocks of DCT coefficients to a frame and back: coefficients are copied across the bus,
// and the host does none of the arithmetic.
#pragma once

#include <optional>

#include "device/cuda/cuda_queue.h"
#include "image/dct_image.h"

namespace cuimg {

/// Copies the blocks to the card and computes their pixels there; waits. @param region of the
/// frame, with the layout's size. @returns nothing if inverse_dct() reports that decoders may
/// disagree. @throws DeviceError.
std::optional<Frame> upload_blocks(CudaQueue& queue, const DctImage& blocks, const Rect& region,
                                   Storage storage);

/// Computes the blocks of a frame of 8 bits, Y or RGB, and copies them to the host; waits. Blocks
/// beyond the picture are unspecified. @param blocks with the frame's size, grey or YCbCr.
/// @throws DeviceError.
void download_blocks(const Frame& frame, DctImage& blocks);

}  // namespace cuimg

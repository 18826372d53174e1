// SPDX-License-Identifier: Apache-2.0
// Blocks of DCT coefficients to a frame and back: the bus carries coefficients, and the host does
// none of the arithmetic.
#pragma once

#include <optional>

#include "device/cuda/cuda_queue.h"
#include "image/dct_image.h"

namespace cuimg {

/// Copies the blocks to the card and makes their pixels there; waits. @param region what the frame
/// covers, of the layout's size. @returns nothing where inverse_dct() says that decoders need not
/// agree. @throws DeviceError.
std::optional<Frame> upload_blocks(CudaQueue& queue, const DctImage& blocks, const Rect& region,
                                   Storage storage);

/// Makes the blocks of a frame of 8 bits, Y or RGB, and copies them to the host; waits. Blocks that
/// lie beyond the picture are unspecified. @param blocks of the frame's size, grey or YCbCr.
/// @throws DeviceError.
void download_blocks(const Frame& frame, DctImage& blocks);

}  // namespace cuimg

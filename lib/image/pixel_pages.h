// SPDX-License-Identifier: Apache-2.0
// The memory pages of blocks of pixels.
#pragma once

#include "image/pixel_memory.h"

namespace cuimg {

/// Asks the system to provide a new block's pages now, instead of one by one at the first write.
/// For a thread that has nothing else to do. The block's content does not change.
void take_pages(const PixelMemory& memory);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The pages of blocks of pixels.
#pragma once

#include "image/pixel_memory.h"

namespace cuimg {

/// Has the system give a new block its pages now, where it can, rather than one by one as they are
/// first written to: for a thread that has nothing else to do. What the block holds stays.
void take_pages(const PixelMemory& memory);

}  // namespace cuimg

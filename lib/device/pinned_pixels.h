// SPDX-License-Identifier: Apache-2.0
// Pixels that a card copies in place, without an intermediate buffer.
#pragma once

#include "device/queue.h"
#include "image/image.h"

namespace cuimg {

/// Keeps a layer's pages in their places, so that from now on the queue's card copies from and to
/// them by itself: where that pays for an image that has the machine to itself. It takes 0.04 ms a
/// MB, and lasts until the memory is freed. Where the system forbids it, nothing changes.
/// @param queue of a card. @throws DeviceError.
void pin_pixels(const Queue& queue, const Image& image, int layer);

}  // namespace cuimg

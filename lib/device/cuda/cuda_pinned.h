// SPDX-License-Identifier: Apache-2.0
// Pins pixels in place, so that a card copies them without the ring and without a core's work.
#pragma once

#include "image/pixel_memory.h"

namespace cuimg {

/// Pins a block the first time, if that pays where other images are under way: a block pays that
/// several images have, one after the other. It stays pinned until it is freed.
/// @param device whose context pins it; all cards may then copy from and to it.
/// @returns whether it is pinned. @throws DeviceError when the card's context is broken.
bool is_pinned(const PixelMemory& memory, int device);

/// Pins a block whatever had it before, for an image that has the machine to itself: is_pinned()
/// then says so. Not a small one, a very large one, or one that is not held whole in memory.
/// @throws DeviceError when the card's context is broken.
void pin(const PixelMemory& memory, int device);

/// While one is there, pages that this thread asks for lie with the processor that the current card
/// is nearest to, as those of is_pinned() do. A wish: where the system forbids it, or has no room
/// there, they lie elsewhere. @throws DeviceError.
class MemoryNearCard {
 public:
  MemoryNearCard();
  MemoryNearCard(const MemoryNearCard&) = delete;
  MemoryNearCard& operator=(const MemoryNearCard&) = delete;
  ~MemoryNearCard();

 private:
  bool is_changed_ = false;
};

}  // namespace cuimg

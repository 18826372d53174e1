// SPDX-License-Identifier: Apache-2.0
// Pins pixels in place, so that a card copies them without the ring and without the work of a core.
#pragma once

#include "image/pixel_memory.h"

namespace cuimg {

/// Pins a block at the first call, if that pays off while other images are in progress: a block
/// pays off if several images use it, one after the other. It remains pinned until it is freed.
/// @param device whose context pins it; then all cards may copy from and to it.
/// @returns whether it is pinned. @throws DeviceError if the card's context is broken.
bool is_pinned(const PixelMemory& memory, int device);

/// Pins a block whatever images used it before, for an image that has the machine to itself: then
/// is_pinned() returns true. Small blocks, very large ones, and those that are not completely in
/// memory are not pinned.
/// @throws DeviceError if the card's context is broken.
void pin(const PixelMemory& memory, int device);

/// While an object exists, pages that this thread allocates are placed near the processor to which
/// the current card is attached, as is_pinned() does. This is only a preference: if the system
/// forbids it, or has no room there, they are placed elsewhere. @throws DeviceError.
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

// SPDX-License-Identifier: Apache-2.0
// Frames of a shared image on a card: all of it, kept for the run, or the part that a call reads.
#pragma once

#include <functional>

#include "device/per_card.h"
#include "device/queue.h"

namespace cuimg {

/// A frame that covers what `region` and `whole`'s region share. All of it, made by the run's first
/// call and kept in `kept`, unless what is kept would leave too little of the card's memory to
/// others: then the part alone, made for this call. Where they share nothing, a pixel outside of
/// `region`.
/// @param whole what would be kept. @param make the pixels of a part of it, with the same values
/// whatever the part.
Frame kept_or_part(const Queue& queue, const PerCard<Frame>& kept, const FrameFormat& whole,
                   const Rect& region, const std::function<Frame(const Rect& part)>& make);

}  // namespace cuimg

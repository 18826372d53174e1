// SPDX-License-Identifier: Apache-2.0
// Frames of a shared image on a card: all of it, kept for the run, or the part that a call reads.
#pragma once

#include <functional>

#include "device/per_card.h"
#include "device/queue.h"

namespace cuimg {

/// A frame that covers the intersection of `region` and `whole`'s region. Usually it is the whole
/// frame, made by the run's first call and kept in `kept`. If kept frames would leave too little of
/// the card's memory to others, it is only the part, made for this call. If they do not intersect,
/// it is a pixel outside of `region`.
/// @param whole the frame that would be kept. @param make makes the pixels of a part, with the same
/// values for any part.
Frame kept_or_part(const Queue& queue, const PerCard<Frame>& kept, const FrameFormat& whole,
                   const Rect& region, const std::function<Frame(const Rect& part)>& make);

}  // namespace cuimg

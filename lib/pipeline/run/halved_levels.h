// SPDX-License-Identifier: Apache-2.0
// Makes the mip levels of a picture while it is written.
#pragma once

#include <functional>

#include "device/queue.h"
#include "image/image.h"
#include "io/codec.h"
#include "pipeline/bound_stage.h"

namespace cuimg {

/// For EncodeOptions::next_level of an image with Spec::mip: the levels that the program writes
/// after the stage `mip`.
/// @param levels the image's Spec::mip. @param codec the file's format, which the image fits.
/// @param raw values are mixed as stored, as with --raw.
/// @throws Error for a filter or a rule beyond the edges that does not exist.
std::function<Image(LevelId, const Image& finer)> halved_levels(const MipLevels& levels,
                                                                const Codec& codec,
                                                                Queue queue = Queue::cpu(),
                                                                bool raw = false);

/// The stage that makes a level from a finer one with that data window.
/// @throws Error as halved_levels() does.
BoundStage halving(const Rect& window, const MipLevels& levels);

}  // namespace cuimg

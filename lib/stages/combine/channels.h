// SPDX-License-Identifier: Apache-2.0
// Combines channels into new layers, on either device.
#pragma once

#include <array>

#include "kernels/color/channel_pick.h"
#include "stages/stage.h"

namespace cuimg {

/// How the pixel of an output layer is made from the pixels of its source layers.
using ChannelPick = std::array<PickedChannel, 4>;

/// @name One layer of target's type. The channels' sources are indices into the frames.
/// @{
void pick_on_cpu(const ChannelPick& pick, Frames sources, const Frame& target);
void pick_on_cuda(const Queue& queue, const ChannelPick& pick, Frames sources, const Frame& target);
/// @}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Channels put together into layers anew, on either device.
#pragma once

#include <array>

#include "kernels/color/channel_pick.h"
#include "stages/stage.h"

namespace cuimg {

/// How an output layer's pixel is made of the pixels of its source layers.
using ChannelPick = std::array<PickedChannel, 4>;

/// @name One layer of target's type. The frames are those that the channels' sources count.
/// @{
void pick_on_cpu(const ChannelPick& pick, Frames sources, const Frame& target);
void pick_on_cuda(const Queue& queue, const ChannelPick& pick, Frames sources, const Frame& target);
/// @}

}  // namespace cuimg

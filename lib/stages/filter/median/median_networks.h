// SPDX-License-Identifier: Apache-2.0
// Medians of small windows on a card: the networks of kernels/stencil/median_network.h.
#pragma once

#include "stages/filter/median/median.h"

namespace cuimg {

/// Queues the medians of windows that have a network. @returns false, having done nothing, for
/// larger ones. @throws DeviceError.
bool median_by_networks(CudaQueue& card, const MedianPlan& plan, const Frame& source,
                        const Frame& target);

/// The same for pixels of four channels, integers with straight alpha in one form that both frames
/// are seen as floats from. @returns false, having done nothing, for all else. @throws DeviceError.
bool median_of_straight(CudaQueue& card, const MedianPlan& plan, const Frame& source,
                        const Frame& target);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Medians of small windows on a card: the networks of kernels/stencil/median_network.h.
#pragma once

#include "stages/filter/median/median.h"

namespace cuimg {

/// Queues the medians of windows for which there is a network. @returns false, having done nothing,
/// for larger windows. @throws DeviceError.
bool median_by_networks(CudaQueue& card, const MedianPlan& plan, const Frame& source,
                        const Frame& target);

/// The same for pixels of four channels: integers with straight alpha in one form, which both
/// frames store and present as floats. @returns false, having done nothing, in all other cases.
/// @throws DeviceError.
bool median_of_straight(CudaQueue& card, const MedianPlan& plan, const Frame& source,
                        const Frame& target);

/// The part of it for windows of 5x5 of 8 bits in sRGB, in rows. @throws DeviceError.
void median_of_light(CudaQueue& card, const MedianPlan& plan, const Frame& source,
                     const Frame& target);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The median of the values around each pixel, channel by channel.
#pragma once

#include "device/per_card.h"
#include "stages/stage.h"
#include "stages/warp/border_sampler.h"

namespace cuimg {

/// Windows up to this size use sorting networks. For larger ones a CPU counts values, and a card
/// sorts tiles.
inline constexpr int largest_network = 7;
inline constexpr int largest_median = 31;

/// Tables of median_light.cu, where it is defined.
struct LightCodesOnCard;

struct MedianPlan {
  int size;  ///< The window's side, an odd number.
  BorderSampler borders;
  PerCard<LightCodesOnCard> on_card = {};

  int radius() const { return size / 2; }
};

/// @name For pixels of any type except u32; source and target have the same type.
/// @{
void median_on_cpu(const MedianPlan& plan, const Frame& source, const Frame& target);
void median_on_cuda(const Queue& queue, const MedianPlan& plan, const Frame& source,
                    const Frame& target);
/// @}

}  // namespace cuimg

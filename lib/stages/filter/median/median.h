// SPDX-License-Identifier: Apache-2.0
// The median of the values around each pixel, channel by channel.
#pragma once

#include "stages/stage.h"
#include "stages/warp/border_sampler.h"

namespace cuimg {

/// Windows up to here go through networks, larger ones are counted out.
inline constexpr int largest_network = 7;
inline constexpr int largest_median = 31;

struct MedianPlan {
  int size;  ///< Of the window's side, odd.
  BorderSampler borders;

  int radius() const { return size / 2; }
};

/// @name Of pixels of any type but u32, source and target alike.
/// @{
void median_on_cpu(const MedianPlan& plan, const Frame& source, const Frame& target);
void median_on_cuda(const Queue& queue, const MedianPlan& plan, const Frame& source,
                    const Frame& target);
/// @}

}  // namespace cuimg

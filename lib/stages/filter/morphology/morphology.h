// SPDX-License-Identifier: Apache-2.0
// Erosion and dilation: the least or greatest value around each pixel, channel by channel.
#pragma once

#include <cstdint>

#include "device/queue.h"
#include "stages/warp/border_sampler.h"

namespace cuimg {

enum class Element : std::uint8_t { box, disk };
std::span<const Choice<Element>> choices_of(Element);

/// One erosion or dilation.
struct MorphologyPlan {
  bool greatest;  ///< Dilation.
  Element element;
  Radius radius;
  /// With clamped edges. Beyond an edge that meets the picture's frame nothing counts, which for
  /// windows along an axis is the same as the edge's pixels going on.
  BorderSampler borders;
};

/// @name Of pixels of any type but u32, source and target alike.
/// @{
void morph_on_cpu(const Queue& queue, const MorphologyPlan& plan, const Frame& source,
                  const Frame& target);
void morph_on_cuda(const Queue& queue, const MorphologyPlan& plan, const Frame& source,
                   const Frame& target);
/// @}

}  // namespace cuimg

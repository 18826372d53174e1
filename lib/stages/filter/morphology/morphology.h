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
  bool greatest;  ///< Dilation instead of erosion.
  Element element;
  Radius radius;
  /// With clamped edges. Pixels beyond an edge that lies on the picture's frame do not count, which
  /// for windows along an axis equals repeating the edge's pixels.
  BorderSampler borders;
};

/// @name For pixels of any type except u32; source and target have the same type.
/// @{
void morph_on_cpu(const Queue& queue, const MorphologyPlan& plan, const Frame& source,
                  const Frame& target);
void morph_on_cuda(const Queue& queue, const MorphologyPlan& plan, const Frame& source,
                   const Frame& target);
/// @}

}  // namespace cuimg

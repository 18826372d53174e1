// SPDX-License-Identifier: Apache-2.0
// Code that resize's CUDA files share.
#pragma once

#include <optional>
#include <vector>

#include "device/cuda/cuda_queue.h"
#include "stages/resample/resize_plan.h"

namespace cuimg {

/// ResizeMethod::weighed on a card: both frames are floats in pitched memory, or other types that
/// are read as floats.
/// @throws DeviceError.
void resize_weighed_on_cuda(const Queue& queue, const ResizePlan& plan,
                            const ResizePlan::Layer& layer, const Frame& source,
                            const Frame& target);

/// One axis of an enlargement to exactly twice the size. Cell i lies between source texels low + i
/// and the next, counted from the frame's first; its two target pixels are first + 2i and the next.
struct DoubledAxis {
  int low, first, cells;
};

/// @param fixed each target pixel's position in 1/256 texel. Nothing if this is not a doubling.
std::optional<DoubledAxis> doubled_axis(const std::vector<int>& fixed);

/// The texture unit's linear filter of float texels, computed in arithmetic, for cards with fast
/// doubles. Both frames are floats in pitched memory, or other types that are read as floats.
/// @throws DeviceError.
void double_on_cuda(CudaQueue& card, const DoubledAxis& columns, const DoubledAxis& rows,
                    const Frame& source, const Frame& target);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Kernels of the tests.
#pragma once

#include "device/cuda/cuda_queue.h"
#include "kernels/texture/texture.h"

namespace cuimg {

/// Float RGBA: each target pixel is the source's texture read at ((x + 0.5) / 2, (y + 0.5) / 2)
/// with (x, y) relative to the target's corner, through a surface or into rows.
void enlarge_twice(CudaPixels& source, CudaPixels& target, const Sampler& sampler);

/// Queues the same reads as sample_texture, weighed by the software unit from raw texels in pitched
/// memory, of any float-readable format of four channels.
void sample_weighed(const CudaPixels& source, const Sampler& sampler, const float2* at, float4* out,
                    int count);

/// Adds a pixel's absolute x to its first channel, by rows; float of two channels.
void add_x(CudaPixels& source, CudaPixels& target);

/// Adds to *differences how many halves and floats, of all there are, a card converts to the other
/// otherwise than the definition in integers does.
void count_half_differences(CudaQueue& queue, unsigned* differences);

}  // namespace cuimg

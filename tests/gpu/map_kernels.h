// SPDX-License-Identifier: Apache-2.0
// Kernels of the tests.
#pragma once

#include "device/cuda/cuda_queue.h"
#include "kernels/texture/texture.h"

namespace cuimg {

/// For float RGBA. Each target pixel is the source's texture at ((x + 0.5) / 2, (y + 0.5) / 2),
/// with (x, y) relative to the target's corner. It is written through a surface or into rows.
void enlarge_twice(CudaPixels& source, CudaPixels& target, const Sampler& sampler);

/// Queues the same reads as sample_texture, but weighed as by the software unit from raw texels in
/// pitched memory. The format must be readable as float and have four channels.
void sample_weighed(const CudaPixels& source, const Sampler& sampler, const float2* at, float4* out,
                    int count);

/// Adds a pixel's absolute x to its first channel, in rows, for floats of two channels.
void add_x(CudaPixels& source, CudaPixels& target);

/// Converts all halves and floats, and adds to *differences the number of results that differ from
/// the definition in integers.
void count_half_differences(CudaQueue& queue, unsigned* differences);

}  // namespace cuimg

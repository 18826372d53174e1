// SPDX-License-Identifier: Apache-2.0
// Texture reads on a card at given coordinates, for the self-check and the tests.
#pragma once

#include <cuda_runtime.h>

namespace cuimg {

class CudaQueue;

/// Queues out[i] = tex2D<float4>(texture, at[i].x, at[i].y) for i < count. Channels that the
/// texture lacks are unspecified. @param at, out device memory. @throws DeviceError.
void sample_texture(CudaQueue& queue, cudaTextureObject_t texture, const float2* at, float4* out,
                    int count);

/// The same for tex2DLod<float4>, with at[i].z as the level of detail.
void sample_levels(CudaQueue& queue, cudaTextureObject_t texture, const float4* at, float4* out,
                   int count);

/// @throws DeviceError if this build has no code that runs on the current card.
void require_kernels();

}  // namespace cuimg

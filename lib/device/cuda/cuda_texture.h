// SPDX-License-Identifier: Apache-2.0
// Texture objects, which stay with the block that they read: making one takes microseconds.
#pragma once

#include "device/cuda/cuda_pool.h"

namespace cuimg {

class CudaQueue;

/// How CUDA says what a key says.
cudaTextureDesc texture_description(const TextureKey& key);

/// Makes what kept_texture() has none of yet. @throws DeviceError.
cudaTextureObject_t new_kept_texture(CudaQueue& queue, CudaBlock& block, const TextureKey& key,
                                     const cudaResourceDesc& resource,
                                     const cudaTextureDesc& description);

/// The block's texture of that key. @param resource called where it is yet to be made.
/// @throws DeviceError.
template <class Resource>
cudaTextureObject_t kept_texture(CudaQueue& queue, CudaBlock& block, const TextureKey& key,
                                 const cudaTextureDesc& description, const Resource& resource) {
  for (const CudaBlock::CachedTexture& cached : block.textures)
    if (cached.key == key) return cached.texture.get();
  return new_kept_texture(queue, block, key, resource(), description);
}

}  // namespace cuimg

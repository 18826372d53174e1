// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda_texture.h"

#include <algorithm>

#include "device/cuda/cuda_queue.h"

namespace cuimg {
namespace {

// A block is lent to frame after frame, each of which may bring its own samplers.
constexpr std::size_t textures_kept = 16;

cudaTextureAddressMode address_mode(Address address) {
  switch (address) {
    case Address::wrap:
      return cudaAddressModeWrap;
    case Address::mirror:
      return cudaAddressModeMirror;
    case Address::border:
      return cudaAddressModeBorder;
    case Address::clamp:
      break;
  }
  return cudaAddressModeClamp;
}

}  // namespace

cudaTextureDesc texture_description(const TextureKey& key) {
  cudaTextureDesc description = {};
  for (int axis = 0; axis < 3; ++axis)
    description.addressMode[axis] = address_mode(key.sampler.address[axis]);
  description.filterMode =
      key.sampler.filter == Filter::linear ? cudaFilterModeLinear : cudaFilterModePoint;
  description.readMode =
      key.normalized_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  description.normalizedCoords = key.sampler.normalized ? 1 : 0;
  std::copy(key.sampler.border, key.sampler.border + 4, description.borderColor);
  return description;
}

cudaTextureObject_t new_kept_texture(CudaQueue& queue, CudaBlock& block, const TextureKey& key,
                                     const cudaResourceDesc& resource,
                                     const cudaTextureDesc& description) {
  queue.make_current();
  if (block.textures.size() >= textures_kept) {
    queue.synchronize();
    block.textures.clear();
  }
  cudaTextureObject_t object = 0;
  checked("cudaCreateTextureObject",
          [&] { return cudaCreateTextureObject(&object, &resource, &description, nullptr); });
  block.textures.push_back({key, TextureHandle(object)});
  return object;
}

}  // namespace cuimg

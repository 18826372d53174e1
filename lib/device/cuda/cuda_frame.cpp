// SPDX-License-Identifier: Apache-2.0
// Allocates a card's pixels and makes textures and surfaces of them.
#include "device/cuda/cuda_frame.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "base/message_text.h"
#include "device/cuda/cuda_queue.h"
#include "kernels/math/ceil_div.h"

namespace cuimg {
namespace {

// cudaMallocPitch returns multiples of this; every card's texture pitch alignment divides it.
constexpr std::size_t pitch_alignment = 512;

cudaTextureAddressMode address_mode(Address address) {
  return address == Address::wrap     ? cudaAddressModeWrap
         : address == Address::mirror ? cudaAddressModeMirror
         : address == Address::border ? cudaAddressModeBorder
                                      : cudaAddressModeClamp;
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
  TextureHandle texture;
  CUIMG_CUDA(cudaCreateTextureObject, texture.slot(), &resource, &description, nullptr);
  return block.textures.emplace_back(key, std::move(texture)).texture.get();
}

SurfaceHandle new_surface(CudaQueue& queue, cudaArray_t array) {
  queue.make_current();
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  SurfaceHandle surface;
  CUIMG_CUDA(cudaCreateSurfaceObject, surface.slot(), &resource);
  return surface;
}

CudaPixels::CudaPixels(std::shared_ptr<CudaQueue> queue, const FrameFormat& format)
    : queue_(std::move(queue)), format_(format) {
  if (format_.storage == Storage::host) format_.storage = Storage::pitched;
  const int width = std::max(1, format_.region.width);
  const int height = std::max(1, format_.region.height);
  queue_->make_current();
  if (is_array()) {
    const CardLimits& limits = queue_->limits();
    if (width > limits.array_width || height > limits.array_height)
      throw DeviceError::too_large(
          "cudaMallocArray", size_text(width, height) + " exceeds the card's largest array, " +
                                 size_text(limits.array_width, limits.array_height));
    block_ = queue_->pool().array(texel_format(), width, height);
  } else {
    const std::size_t row_bytes = static_cast<std::size_t>(width) * format_.pixel_bytes();
    pitch_bytes_ = round_up(row_bytes, pitch_alignment);
    block_ = queue_->pool().memory(pitch_bytes_ * static_cast<std::size_t>(height));
  }
}

CudaPixels::~CudaPixels() = default;

void* CudaPixels::data() const {
  require_storage(Storage::pitched);
  return block_->memory.get();
}

AnyMemory CudaPixels::any_memory() {
  if (is_array()) return {{nullptr, 0}, {surface()}};
  return {{static_cast<char*>(data()), pitch_bytes_}, {0}};
}

cudaArray_t CudaPixels::array() const {
  require_storage(Storage::array);
  return block_->array.get();
}

cudaTextureObject_t CudaPixels::texture(const Sampler& sampler, TextureRead read) {
  const bool integer = !is_floating(format_.type) && format_.type != PixelType::u32;
  TextureKey key;
  key.format = texel_format();
  key.sampler = sampler;
  key.normalized_float = integer && read == TextureRead::as_float;
  key.width = width();
  key.height = height();
  key.pitch_bytes = pitch_bytes_;

  std::lock_guard lock(mutex_);
  return kept_texture(*queue_, *block_, key, texture_description(key),
                      [this] { return texture_resource(); });
}

cudaResourceDesc CudaPixels::texture_resource() const {
  cudaResourceDesc resource = {};
  if (is_array()) {
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array();
    return resource;
  }
  const CardLimits& limits = queue_->limits();
  if (width() > limits.linear_width || height() > limits.linear_height ||
      pitch_bytes_ > limits.linear_pitch_bytes)
    throw DeviceError::too_large("cudaCreateTextureObject",
                                 size_text(width(), height()) +
                                     " in rows exceeds the card's largest, " +
                                     size_text(limits.linear_width, limits.linear_height));
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = data();
  resource.res.pitch2D.desc = texel_format().description();
  resource.res.pitch2D.width = static_cast<std::size_t>(width());
  resource.res.pitch2D.height = static_cast<std::size_t>(height());
  resource.res.pitch2D.pitchInBytes = pitch_bytes_;
  return resource;
}

cudaSurfaceObject_t CudaPixels::surface() {
  std::lock_guard lock(mutex_);
  if (!block_->surface) block_->surface = new_surface(*queue_, array());
  return block_->surface.get();
}

void CudaPixels::require_storage(Storage storage) const {
  if (storage == format_.storage) return;
  if (is_array()) throw Error("frame", "it is a CUDA array", "only pitched memory has rows");
  throw Error("frame", "it lies in pitched memory", "only a CUDA array has a surface");
}

void CudaPixels::require_texel(int channels, std::size_t bytes, Storage storage) const {
  require_storage(storage);
  if (channels == format_.stored_channels() && bytes == format_.pixel_bytes()) return;
  throw Error("frame",
              "a view of " + std::to_string(channels) + " channels in " + std::to_string(bytes) +
                  " bytes does not fit",
              std::to_string(format_.stored_channels()) + " channels of " +
                  std::string(name_of(format_.type)));
}

}  // namespace cuimg

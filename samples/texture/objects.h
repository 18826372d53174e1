// SPDX-License-Identifier: Apache-2.0
// Texture objects combine a resource, which holds the texels, and a sampler, which says how to read
// them. For nvcc.
#pragma once

#include <vector>

#include "common/card.h"
#include "kernels/texture/texture.h"

namespace cuimg::samples {

/// A CUDA array: the card chooses the order of the texels, and keeps neighbours in both directions
/// close.
inline cudaResourceDesc in_array(const ArrayHandle& array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array.get();
  return resource;
}

/// A row of T in device memory, for tex1Dfetch, which takes an integer index and does not filter.
template <class T>
cudaResourceDesc in_memory(T* memory, std::size_t count) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<T>();
  resource.res.linear.sizeInBytes = count * sizeof(T);
  return resource;
}

/// The maximum number of T in one texture of this card over a row in device memory.
template <class T>
std::size_t texture_limit() {
  std::size_t limit = 0;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  const int card = current_card();
  checked("cudaDeviceGetTexture1DLinearMaxWidth",
          [&] { return cudaDeviceGetTexture1DLinearMaxWidth(&limit, &format, card); });
  return limit;
}

/// Rows of T in device memory, `pitch_bytes` apart (a multiple of texturePitchAlignment).
template <class T>
cudaResourceDesc in_rows(T* memory, std::size_t pitch_bytes, int width, int height) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {memory, cudaCreateChannelDesc<T>(), static_cast<std::size_t>(width),
                          static_cast<std::size_t>(height), pitch_bytes};
  return resource;
}

/// Converts the software unit's sampler to CUDA's.
inline cudaTextureDesc as_cuda(const Sampler& sampler, cudaTextureReadMode read_mode) {
  cudaTextureDesc reading = {};
  for (int axis = 0; axis < 3; ++axis) {
    const Address address = sampler.address[axis];
    reading.addressMode[axis] = address == Address::wrap     ? cudaAddressModeWrap
                                : address == Address::clamp  ? cudaAddressModeClamp
                                : address == Address::mirror ? cudaAddressModeMirror
                                                             : cudaAddressModeBorder;
  }
  reading.filterMode =
      sampler.filter == Filter::linear ? cudaFilterModeLinear : cudaFilterModePoint;
  reading.normalizedCoords = sampler.normalized;
  reading.readMode = read_mode;
  for (int c = 0; c < 4; ++c) reading.borderColor[c] = sampler.border[c];
  return reading;
}

/// @param read_mode cudaReadModeNormalizedFloat for integers read as fractions of their largest.
inline TextureHandle new_texture(const cudaResourceDesc& resource, const Sampler& sampler,
                                 cudaTextureReadMode read_mode = cudaReadModeElementType) {
  const cudaTextureDesc reading = as_cuda(sampler, read_mode);
  cudaTextureObject_t texture = 0;
  checked("cudaCreateTextureObject",
          [&] { return cudaCreateTextureObject(&texture, &resource, &reading, nullptr); });
  return TextureHandle(texture);
}

/// A surface object: loads and stores of raw bytes. The array has cudaArraySurfaceLoadStore.
inline SurfaceHandle new_surface(const ArrayHandle& array) {
  const cudaResourceDesc resource = in_array(array);
  cudaSurfaceObject_t surface = 0;
  checked("cudaCreateSurfaceObject", [&] { return cudaCreateSurfaceObject(&surface, &resource); });
  return SurfaceHandle(surface);
}

/// @param height 0 for a one-dimensional array.
template <class T>
ArrayHandle new_array(int width, int height, unsigned flags = cudaArrayDefault) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t array = nullptr;
  checked("cudaMallocArray", [&] {
    return cudaMallocArray(&array, &format, static_cast<std::size_t>(width),
                           static_cast<std::size_t>(height), flags);
  });
  return ArrayHandle(array);
}

/// An array filled with `texels`, rows one after the other.
template <class T>
ArrayHandle array_of(const std::vector<T>& texels, int width, int height,
                     unsigned flags = cudaArrayDefault) {
  ArrayHandle array = new_array<T>(width, height, flags);
  const std::size_t row_bytes = static_cast<std::size_t>(width) * sizeof(T);
  checked("cudaMemcpy2DToArray", [&] {
    return cudaMemcpy2DToArray(array.get(), 0, 0, texels.data(), row_bytes, row_bytes,
                               static_cast<std::size_t>(height > 0 ? height : 1),
                               cudaMemcpyHostToDevice);
  });
  return array;
}

}  // namespace cuimg::samples

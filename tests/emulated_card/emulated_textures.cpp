// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces of the fake runtime, read by the software texture unit.
#include <bit>
#include <cstdint>

#include "emulate.h"
#include "fake_cudart/fake_state.h"
#include "kernels/texture/texture_unit.h"

namespace emulated {
namespace {

using namespace cuimg;
using fake_cuda::Array;
using fake_cuda::Mipmap;
using fake_cuda::Texture;

Address address_of(cudaTextureAddressMode mode) {
  switch (mode) {
    case cudaAddressModeWrap:
      return Address::wrap;
    case cudaAddressModeMirror:
      return Address::mirror;
    case cudaAddressModeBorder:
      return Address::border;
    default:
      return Address::clamp;
  }
}

Sampler sampler_of(const cudaTextureDesc& description) {
  Sampler sampler;
  for (int axis = 0; axis < 3; ++axis)
    sampler.address[axis] = address_of(description.addressMode[axis]);
  sampler.filter = description.filterMode == cudaFilterModeLinear ? Filter::linear : Filter::point;
  sampler.normalized = description.normalizedCoords != 0;
  for (int c = 0; c < 4; ++c) sampler.border[c] = description.borderColor[c];
  return sampler;
}

struct Rows {
  const void* data;
  std::size_t pitch;
  int width, height;
};

Rows rows_of(const cudaResourceDesc& resource) {
  if (resource.resType == cudaResourceTypeArray) {
    const auto* array = reinterpret_cast<const Array*>(resource.res.array.array);
    return {array->bytes.data(), array->pitch(), static_cast<int>(array->width),
            static_cast<int>(array->height)};
  }
  const auto& rows = resource.res.pitch2D;
  return {rows.devPtr, rows.pitchInBytes, static_cast<int>(rows.width),
          static_cast<int>(rows.height)};
}

cudaChannelFormatDesc format_of(const cudaResourceDesc& resource) {
  return resource.resType == cudaResourceTypeArray
             ? reinterpret_cast<const Array*>(resource.res.array.array)->format
             : resource.res.pitch2D.desc;
}

template <class T, int N>
float4 sample_as(const Texture& texture, float x, float y) {
  const Rows rows = rows_of(texture.resource);
  const Texture2D<T, N> view = {rows.data, rows.pitch, rows.width, rows.height};
  const Pixel<N> pixel = cuimg::sample(view, sampler_of(texture.description), x, y);
  float v[4] = {};
  for (int c = 0; c < N; ++c) v[c] = pixel.v[c];
  return {v[0], v[1], v[2], v[3]};
}

template <class T>
float4 sample_of(const Texture& texture, const cudaChannelFormatDesc& format, float x, float y) {
  if (format.w != 0) return sample_as<T, 4>(texture, x, y);
  if (format.y != 0) return sample_as<T, 2>(texture, x, y);
  return sample_as<T, 1>(texture, x, y);
}

}  // namespace

float4 sample(cudaTextureObject_t object, float x, float y) {
  const auto& texture = *reinterpret_cast<const Texture*>(object);
  const cudaChannelFormatDesc format = format_of(texture.resource);
  if (format.x == 8) return sample_of<std::uint8_t>(texture, format, x, y);
  if (format.x == 32) return sample_of<float>(texture, format, x, y);
  if (format.f == cudaChannelFormatKindFloat) return sample_of<Half>(texture, format, x, y);
  return sample_of<std::uint16_t>(texture, format, x, y);
}

float4 sample(cudaTextureObject_t object, float x, float y, float z) {
  const auto& texture = *reinterpret_cast<const Texture*>(object);
  const auto* array = reinterpret_cast<const Array*>(texture.resource.res.array.array);
  const int depth = static_cast<int>(array->depth);
  const Texture3D<float, 4> view = {array->bytes.data(),
                                    array->pitch(),
                                    array->pitch() * (array->height / array->depth),
                                    static_cast<int>(array->width),
                                    static_cast<int>(array->height) / depth,
                                    depth};
  const Pixel<4> pixel = cuimg::sample(view, sampler_of(texture.description), x, y, z);
  return {pixel.v[0], pixel.v[1], pixel.v[2], pixel.v[3]};
}

namespace {

float barely_other(float value) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) ^ 1u);
}

template <int N>
float4 level_as(const Texture& texture, float x, float y, float level) {
  const auto& levels = reinterpret_cast<const Mipmap*>(texture.resource.res.mipmap.mipmap)->levels;
  Texture2D<float, N> views[16];
  for (std::size_t l = 0; l < levels.size(); ++l)
    views[l] = {levels[l].bytes.data(), levels[l].pitch(), static_cast<int>(levels[l].width),
                static_cast<int>(levels[l].height)};
  const Pixel<N> pixel =
      cuimg::sample_level(MipTexture2D<float, N>{views, static_cast<int>(levels.size())},
                          sampler_of(texture.description), x, y, level);
  float v[4] = {};
  for (int c = 0; c < N; ++c) v[c] = pixel.v[c];
  if (fake_cuda::State::instance().differing_type == "levels") v[0] = barely_other(v[0]);
  return {v[0], v[1], v[2], v[3]};
}

}  // namespace

float4 sample_level(cudaTextureObject_t object, float x, float y, float level) {
  const auto& texture = *reinterpret_cast<const Texture*>(object);
  const auto* mipmap = reinterpret_cast<const Mipmap*>(texture.resource.res.mipmap.mipmap);
  const cudaChannelFormatDesc& format = mipmap->levels.front().format;
  if (texture.resource.resType != cudaResourceTypeMipmappedArray || format.x != 32 ||
      texture.description.normalizedCoords == 0)
    __builtin_trap();
  if (format.w != 0) return level_as<4>(texture, x, y, level);
  if (format.y != 0) return level_as<2>(texture, x, y, level);
  return level_as<1>(texture, x, y, level);
}

char* surface_bytes(cudaSurfaceObject_t surface, int column, int row, std::size_t bytes) {
  auto* array = reinterpret_cast<Array*>(
      reinterpret_cast<const fake_cuda::Surface*>(surface)->resource.res.array.array);
  if (column < 0 || row < 0 || static_cast<std::size_t>(row) >= array->height ||
      static_cast<std::size_t>(column) + bytes > array->pitch())
    return nullptr;
  return array->bytes.data() + static_cast<std::size_t>(row) * array->pitch() + column;
}

}  // namespace emulated

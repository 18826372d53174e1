// SPDX-License-Identifier: Apache-2.0
// The sampling kernel, implemented with the software texture unit.
#include <bit>
#include <cstdint>

#include "fake_state.h"
#include "kernels/texture/texture_unit.h"

namespace fake_cuda {
namespace {

using namespace cuimg;

Sampler sampler_of(const Texture& texture) {
  Sampler sampler;
  for (int axis = 0; axis < 3; ++axis)
    sampler.address[axis] =
        texture.description.addressMode[axis] == cudaAddressModeWrap     ? Address::wrap
        : texture.description.addressMode[axis] == cudaAddressModeMirror ? Address::mirror
        : texture.description.addressMode[axis] == cudaAddressModeBorder ? Address::border
                                                                         : Address::clamp;
  sampler.filter =
      texture.description.filterMode == cudaFilterModeLinear ? Filter::linear : Filter::point;
  sampler.normalized = texture.description.normalizedCoords != 0;
  for (int c = 0; c < 4; ++c) sampler.border[c] = texture.description.borderColor[c];
  return sampler;
}

// Changes one read by the smallest possible difference, which must be detected.
float barely_other(float value) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) ^ 1u);
}

template <class T>
void sample_as(const Texture& texture, const float* at, float* out, int count, bool differ) {
  Texture2D<T, 4> view = {};
  if (texture.resource.resType == cudaResourceTypeArray) {
    const auto* array = reinterpret_cast<const Array*>(texture.resource.res.array.array);
    view = {array->bytes.data(), array->pitch(), static_cast<int>(array->width),
            static_cast<int>(array->height)};
  } else {
    const auto& rows = texture.resource.res.pitch2D;
    view = {rows.devPtr, rows.pitchInBytes, static_cast<int>(rows.width),
            static_cast<int>(rows.height)};
  }
  const Sampler sampler = sampler_of(texture);
  for (int i = 0; i < count; ++i) {
    Pixel<4> pixel = cuimg::sample(view, sampler, at[2 * i], at[2 * i + 1]);
    if (differ && i == count - 1) pixel.v[3] = barely_other(pixel.v[3]);
    for (int c = 0; c < 4; ++c) out[4 * i + c] = pixel.v[c];
  }
}

}  // namespace

void sample(const Texture& texture, const float* at, float* out, int count,
            const std::string& differing_type) {
  const cudaChannelFormatDesc format =
      texture.resource.resType == cudaResourceTypeArray
          ? reinterpret_cast<const Array*>(texture.resource.res.array.array)->format
          : texture.resource.res.pitch2D.desc;
  if (format.x == 8)
    return sample_as<std::uint8_t>(texture, at, out, count, differing_type == "u8");
  if (format.x == 32) return sample_as<float>(texture, at, out, count, differing_type == "float");
  if (format.f == cudaChannelFormatKindFloat)
    return sample_as<Half>(texture, at, out, count, differing_type == "half");
  sample_as<std::uint16_t>(texture, at, out, count, differing_type == "u16");
}

void sample_levels(const Texture& texture, const float* at, float* out, int count,
                   const std::string& differing_type) {
  const auto& levels = reinterpret_cast<const Mipmap*>(texture.resource.res.mipmap.mipmap)->levels;
  std::vector<Texture2D<float, 4>> views;
  for (const Array& level : levels)
    views.push_back({level.bytes.data(), level.pitch(), static_cast<int>(level.width),
                     static_cast<int>(level.height)});
  const MipTexture2D<float, 4> chain = {views.data(), static_cast<int>(views.size())};
  for (int i = 0; i < count; ++i) {
    const float* place = at + 4 * i;
    Pixel<4> pixel = sample_level(chain, sampler_of(texture), place[0], place[1], place[2]);
    if (differing_type == "levels" && i == count - 1) pixel.v[3] = barely_other(pixel.v[3]);
    for (int c = 0; c < 4; ++c) out[4 * i + c] = pixel.v[c];
  }
}

}  // namespace fake_cuda

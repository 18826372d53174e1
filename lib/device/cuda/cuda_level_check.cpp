// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda_level_check.h"

#include <span>

#include "device/cuda/cuda_mipmap.h"
#include "device/cuda/cuda_sample.h"
#include "kernels/texture/mip_halving.h"
#include "kernels/texture/texture_unit.h"

namespace cuimg::self_check {
namespace {

constexpr int width = 61, height = 47, levels = last_mip_level(width, height) + 1;
constexpr std::array addresses = {Address::wrap, Address::clamp, Address::mirror, Address::border};

// Texels of all levels, the largest first.
std::vector<Texel<float, 4>> texels() {
  std::vector<Texel<float, 4>> all;
  std::uint32_t i = 0;
  for (int level = 0; level < levels; ++level)
    for (int k = 0; k < mip_side(width, level) * mip_side(height, level); ++k) {
      Texel<float, 4> texel;
      for (float& value : texel.v) value = test_value(i++, k % 2 == 0);
      all.push_back(texel);
    }
  return all;
}

Sampler sampler_of(Address address) {
  Sampler sampler;
  sampler.normalized = true;
  sampler.address[0] = sampler.address[1] = address;
  constexpr float border[4] = {0.25f, 0.7f, 0.0f, 1.0f};
  std::copy(border, border + 4, sampler.border);
  return sampler;
}

std::vector<float4> places() {
  std::vector<float4> result;
  for (std::uint32_t i = 0; i < reads_per_case; ++i) {
    const auto part = [&](std::uint32_t k) {
      return static_cast<float>(scrambled(4 * i + k) >> 8) * 0x1p-24f;
    };
    // -0.75 to 1.75, and from a level before the first to one behind the last.
    result.push_back({part(0) * 2.5f - 0.75f, part(1) * 2.5f - 0.75f,
                      part(2) * static_cast<float>(levels + 1) - 1.0f, 0});
  }
  return result;
}

}  // namespace

Reads software_level_reads(int count) {
  const std::vector<Texel<float, 4>> all = texels();
  Texture2D<float, 4> views[levels];
  const Texel<float, 4>* first = all.data();
  for (int level = 0; level < levels; ++level) {
    const int w = mip_side(width, level), h = mip_side(height, level);
    views[level] = {first, static_cast<std::size_t>(w) * sizeof *first, w, h};
    first += w * h;
  }
  const std::vector<float4> at = places();
  Reads reads;
  for (const Address address : addresses)
    for (int i = 0; i < count; ++i) {
      const float4& place = at[static_cast<std::size_t>(i)];
      const Pixel<4> pixel = sample_level(MipTexture2D<float, 4>{views, levels},
                                          sampler_of(address), place.x, place.y, place.z);
      reads.push_back({pixel.v[0], pixel.v[1], pixel.v[2], pixel.v[3]});
    }
  return reads;
}

Reads card_level_reads(CudaQueue& queue) {
  const std::vector<Texel<float, 4>> all = texels();
  const std::vector<float4> at = places();
  const DeviceTable<Texel<float, 4>> rows(queue, std::span<const Texel<float, 4>>(all));
  const DeviceTable<float4> where(queue, std::span<const float4>(at));
  const DeviceTable<float4> out(queue, addresses.size() * reads_per_case);
  CudaMipmap mipmap(queue, 4, width, height, levels);
  const Texel<float, 4>* first = rows.data();
  for (int level = 0; level < levels; ++level) {
    mipmap.copy_to(level, first);
    first += mip_side(width, level) * mip_side(height, level);
  }
  for (std::size_t i = 0; i < addresses.size(); ++i)
    sample_levels(queue, mipmap.texture(sampler_of(addresses[i])), where.data(),
                  out.data() + i * reads_per_case, reads_per_case);
  return out.to_host();
}

}  // namespace cuimg::self_check

// SPDX-License-Identifier: Apache-2.0
// The fixed reads, the comparison, and the remembered answer.
#include "device/cuda/cuda_self_check.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <span>

#include "device/cuda/cuda_level_check.h"
#include "device/cuda/cuda_sample.h"
#include "device/cuda/cuda_transfer.h"
#include "device/self_check_cache.h"
#include "kernels/texture/texture_unit.h"

namespace cuimg {
namespace {

using namespace self_check;

constexpr int width = 61, height = 47;
constexpr std::array types = {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32};

Image test_image(PixelType type) {
  Spec spec;
  spec.data_window = spec.display_window = {0, 0, width, height};
  spec.layers = {{"", {"R", "G", "B", "A"}, type}};
  Image image(spec);
  std::uint32_t i = 0;
  for (int y = 0; y < height; ++y) {
    std::byte* row = image.row(0, y);
    for (int x = 0; x < width * 4; ++x, ++i) {
      const float value = test_value(i, y < height / 2);
      if (type == PixelType::u8) reinterpret_cast<std::uint8_t*>(row)[x] = scrambled(i) & 0xff;
      if (type == PixelType::u16) reinterpret_cast<std::uint16_t*>(row)[x] = scrambled(i) & 0xffff;
      if (type == PixelType::half) reinterpret_cast<Half*>(row)[x] = float_to_half(value);
      if (type == PixelType::f32) reinterpret_cast<float*>(row)[x] = value;
    }
  }
  return image;
}

struct Case {
  Storage storage;
  Sampler sampler;
};

std::vector<Case> cases() {
  std::vector<Case> result;
  for (const Storage storage : {Storage::array, Storage::pitched}) {
    for (const Address address :
         {Address::wrap, Address::clamp, Address::mirror, Address::border}) {
      Sampler sampler;
      sampler.address[0] = sampler.address[1] = sampler.address[2] = address;
      // Wrap and mirror exist for normalised coordinates only.
      sampler.normalized =
          address == Address::wrap || address == Address::mirror || storage == Storage::pitched;
      constexpr float border[4] = {0.25f, 0.7f, 0.0f, 1.0f};
      std::copy(border, border + 4, sampler.border);
      result.push_back({storage, sampler});
    }
  }
  return result;
}

std::vector<float2> coordinates(bool normalized, std::uint32_t seed) {
  std::vector<float2> result;
  const float sx = normalized ? 1.0f : static_cast<float>(width);
  const float sy = normalized ? 1.0f : static_cast<float>(height);
  for (std::uint32_t i = 0; i < reads_per_case; ++i) {
    const auto from = [&](std::uint32_t k) {  // -0.75 to 1.75
      return static_cast<float>(scrambled(seed + 2 * i + k) >> 8) * 0x1p-24f * 2.5f - 0.75f;
    };
    result.push_back({from(0) * sx, from(1) * sy});
  }
  const float infinity = std::numeric_limits<float>::infinity();
  result[0] = {std::numeric_limits<float>::quiet_NaN(), 0.5f * sy};
  result[1] = {infinity, 0.5f * sy};
  result[2] = {0.5f * sx, -infinity};
  result[3] = {-1e-30f, 0.5f * sy};
  result[4] = {0.5f * sx, 1e30f};
  return result;
}

template <class T>
Pixel<4> software_read_as(const Image& image, const Sampler& sampler, float2 at) {
  const Texture2D<T, 4> texture = {image.row(0, 0), image.row_bytes(0), width, height};
  return sample(texture, sampler, at.x, at.y);
}

Pixel<4> software_read(const Image& image, PixelType type, const Sampler& sampler, float2 at) {
  switch (type) {
    case PixelType::u8:
      return software_read_as<std::uint8_t>(image, sampler, at);
    case PixelType::u16:
      return software_read_as<std::uint16_t>(image, sampler, at);
    case PixelType::half:
      return software_read_as<Half>(image, sampler, at);
    default:
      return software_read_as<float>(image, sampler, at);
  }
}

// @param count how many of each case's reads, from the first.
Reads software_reads(const Image& image, PixelType type, int count) {
  Reads reads;
  for (const Case& one : cases()) {
    const std::vector<float2> at = coordinates(one.sampler.normalized, 1);
    for (int i = 0; i < count; ++i) {
      const Pixel<4> pixel =
          software_read(image, type, one.sampler, at[static_cast<std::size_t>(i)]);
      reads.push_back({pixel.v[0], pixel.v[1], pixel.v[2], pixel.v[3]});
    }
  }
  return reads;
}

Reads card_reads(CudaQueue& queue, const Image& image) {
  const std::vector<Case> all = cases();
  const DeviceTable<float4> out(queue, all.size() * reads_per_case);
  const std::vector<float2> normalized = coordinates(true, 1), texels = coordinates(false, 1);
  const DeviceTable<float2> normalized_at(queue, std::span<const float2>(normalized));
  const DeviceTable<float2> texels_at(queue, std::span<const float2>(texels));
  RowProgress ready;
  ready.finish();
  const Frame array =
      upload_layer(queue, image, 0, image.spec().data_window, ready, Storage::array);
  const Frame rows =
      upload_layer(queue, image, 0, image.spec().data_window, ready, Storage::pitched);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Case& one = all[i];
    const Frame& frame = one.storage == Storage::array ? array : rows;
    const DeviceTable<float2>& at = one.sampler.normalized ? normalized_at : texels_at;
    sample_texture(queue, frame.card().texture(one.sampler), at.data(),
                   out.data() + i * reads_per_case, reads_per_case);
  }
  return out.to_host();
}

bool& flag(ExactFilters& filters, PixelType type) {
  switch (type) {
    case PixelType::u8:
      return filters.u8;
    case PixelType::u16:
      return filters.u16;
    case PixelType::half:
      return filters.half;
    default:
      return filters.f32;
  }
}

std::string uuid_text(const cudaUUID_t& uuid) {
  static constexpr char hex[] = "0123456789abcdef";
  std::string text;
  for (const char byte : uuid.bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += {hex[value >> 4], hex[value & 15]};
  }
  return text;
}

}  // namespace

ExactFilters check_texture_unit(CudaQueue& queue, const cudaDeviceProp& properties) {
  int driver = 0;
  checked("cudaDriverGetVersion", [&] { return cudaDriverGetVersion(&driver); });
  const std::string key = uuid_text(properties.uuid) + "-" + std::to_string(driver);

  static std::mutex mutex;
  static std::map<std::string, ExactFilters>* const known = new std::map<std::string, ExactFilters>;
  std::lock_guard lock(mutex);
  if (const auto found = known->find(key); found != known->end()) return found->second;

  std::uint64_t definition = 14695981039346656037u;
  std::array<Image, types.size()> images;
  for (std::size_t i = 0; i < types.size(); ++i) {
    images[i] = test_image(types[i]);
    add_to_digest(definition, software_reads(images[i], types[i], reads_in_digest));
  }
  add_to_digest(definition, software_level_reads(reads_in_digest));
  ExactFilters filters;
  if (const auto cached = load_self_check(key, definition)) {
    for (const PixelType type : types) flag(filters, type) = cached->contains(name_of(type));
    filters.levels = cached->contains("levels");
  } else {
    std::set<std::string, std::less<>> exact;
    for (std::size_t i = 0; i < types.size(); ++i) {
      flag(filters, types[i]) = same_bits(card_reads(queue, images[i]),
                                          software_reads(images[i], types[i], reads_per_case));
      if (filters.of(types[i])) exact.emplace(name_of(types[i]));
    }
    filters.levels = same_bits(card_level_reads(queue), software_level_reads(reads_per_case));
    if (filters.levels) exact.emplace("levels");
    store_self_check(key, definition, exact);
  }
  (*known)[key] = filters;
  return filters;
}

std::string card_problem(const cudaDeviceProp& properties) {
  if (properties.major * 10 + properties.minor < 75)
    return std::string(properties.name) + " has compute capability " +
           std::to_string(properties.major) + "." + std::to_string(properties.minor) +
           ", too old: 7.5 or newer is needed";
  return "";
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The fixed reads, the comparison, and the stored answer.
#include "device/cuda/cuda_self_check.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <span>

#include "device/cuda/cuda_mipmap.h"
#include "device/cuda/cuda_sample.h"
#include "device/cuda/cuda_transfer.h"
#include "device/self_check_cache.h"
#include "image/dispatch.h"
#include "kernels/texture/mip_sides.h"
#include "kernels/texture/texture_unit.h"

namespace cuimg {
namespace {

constexpr int width = 61, height = 47;
constexpr int reads_per_case = 1024;
// Enough to detect that the definition has changed, in a millisecond.
constexpr int reads_in_digest = 96;
constexpr std::array types = {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32};

// A fixed sequence: PCG's output function over a counter (O'Neill 2014).
std::uint32_t scrambled(std::uint32_t i) {
  i = i * 747796405u + 2891336453u;
  const std::uint32_t word = ((i >> ((i >> 28) + 4)) ^ i) * 277803737u;
  return (word >> 22) ^ word;
}

// Floats around 1 in the upper rows, over 60 binades in the rows below, with both signs, and a few
// special values.
float test_value(std::uint32_t i, int y) {
  const std::uint32_t bits = scrambled(i);
  if (i % 97 == 5) {
    constexpr std::array special = {0.0f, -0.0f, 1e-40f, std::numeric_limits<float>::infinity(),
                                    std::numeric_limits<float>::quiet_NaN()};
    return special[bits % special.size()];
  }
  const std::uint32_t exponent =
      y < height / 2 ? 125 + scrambled(bits) % 4 : 97 + scrambled(bits) % 60;
  return std::bit_cast<float>((bits & 0x807fffffu) | exponent << 23);
}

Image test_image(PixelType type) {
  Spec spec;
  spec.data_window = spec.display_window = {0, 0, width, height};
  spec.layers = {{"", {"R", "G", "B", "A"}, type}};
  Image image(spec);
  std::uint32_t i = 0;
  for (int y = 0; y < height; ++y) {
    std::byte* row = image.row(0, y);
    for (int x = 0; x < width * 4; ++x, ++i) {
      const float value = test_value(i, y);
      if (type == PixelType::u8) reinterpret_cast<std::uint8_t*>(row)[x] = scrambled(i) & 0xff;
      if (type == PixelType::u16) reinterpret_cast<std::uint16_t*>(row)[x] = scrambled(i) & 0xffff;
      if (type == PixelType::half) reinterpret_cast<Half*>(row)[x] = float_to_half(value);
      if (type == PixelType::f32) reinterpret_cast<float*>(row)[x] = value;
    }
  }
  return image;
}

constexpr std::array addresses = {Address::wrap, Address::clamp, Address::mirror, Address::border};

Sampler sampler_of(Address address, bool normalized) {
  Sampler sampler;
  std::ranges::fill(sampler.address, address);
  sampler.normalized = normalized;
  constexpr float border[4] = {0.25f, 0.7f, 0.0f, 1.0f};
  std::ranges::copy(border, sampler.border);
  return sampler;
}

struct Case {
  Storage storage;
  Sampler sampler;
};

std::vector<Case> cases() {
  std::vector<Case> result;
  for (const Storage storage : {Storage::array, Storage::pitched}) {
    for (const Address address : addresses) {
      // Wrap and mirror only exist for normalised coordinates.
      const bool normalized =
          address == Address::wrap || address == Address::mirror || storage == Storage::pitched;
      result.push_back({storage, sampler_of(address, normalized)});
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

Pixel<4> software_read(const Image& image, PixelType type, const Sampler& sampler, float2 at) {
  return with_texel_type(type, [&](auto texel) {
    const Texture2D<typename decltype(texel)::type, 4> texture = {
        image.row(0, 0), image.row_bytes(0), width, height};
    return sample(texture, sampler, at.x, at.y);
  });
}

using Reads = std::vector<float4>;

// @param count the number of each case's reads, from the first.
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
  const auto uploaded = [&](Storage storage) {
    return upload_layer(queue, image, 0, image.spec().data_window, ready, storage);
  };
  const Frame array = uploaded(Storage::array), rows = uploaded(Storage::pitched);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Case& one = all[i];
    const Frame& frame = one.storage == Storage::array ? array : rows;
    const DeviceTable<float2>& at = one.sampler.normalized ? normalized_at : texels_at;
    sample_texture(queue, frame.card().texture(one.sampler), at.data(),
                   out.data() + i * reads_per_case, reads_per_case);
  }
  return out.to_host();
}

constexpr int levels = last_mip_level(width, height) + 1;

// Texels of all levels, the largest first.
std::vector<Texel<float, 4>> level_texels() {
  std::vector<Texel<float, 4>> all;
  std::uint32_t i = 0;
  for (int level = 0; level < levels; ++level)
    for (int k = 0; k < mip_side(width, level) * mip_side(height, level); ++k) {
      Texel<float, 4> texel;
      for (float& value : texel.v) value = test_value(i++, k % 2 == 0 ? 0 : height);
      all.push_back(texel);
    }
  return all;
}

std::vector<float4> level_places() {
  std::vector<float4> result;
  for (std::uint32_t i = 0; i < reads_per_case; ++i) {
    const auto part = [&](std::uint32_t k) {
      return static_cast<float>(scrambled(4 * i + k) >> 8) * 0x1p-24f;
    };
    // -0.75 to 1.75, and from one level before the first to one after the last.
    result.push_back({part(0) * 2.5f - 0.75f, part(1) * 2.5f - 0.75f,
                      part(2) * static_cast<float>(levels + 1) - 1.0f, 0});
  }
  return result;
}

// @param count the number of each address mode's reads, from the first.
Reads software_level_reads(int count) {
  const std::vector<Texel<float, 4>> all = level_texels();
  Texture2D<float, 4> views[levels];
  const Texel<float, 4>* first = all.data();
  for (int level = 0; level < levels; ++level) {
    const int w = mip_side(width, level), h = mip_side(height, level);
    views[level] = {first, static_cast<std::size_t>(w) * sizeof *first, w, h};
    first += w * h;
  }
  const std::vector<float4> at = level_places();
  Reads reads;
  for (const Address address : addresses)
    for (int i = 0; i < count; ++i) {
      const float4& place = at[static_cast<std::size_t>(i)];
      const Pixel<4> pixel = sample_level(MipTexture2D<float, 4>{views, levels},
                                          sampler_of(address, true), place.x, place.y, place.z);
      reads.push_back({pixel.v[0], pixel.v[1], pixel.v[2], pixel.v[3]});
    }
  return reads;
}

Reads card_level_reads(CudaQueue& queue) {
  const std::vector<Texel<float, 4>> all = level_texels();
  const std::vector<float4> at = level_places();
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
    sample_levels(queue, mipmap.texture(sampler_of(addresses[i], true)), where.data(),
                  out.data() + i * reads_per_case, reads_per_case);
  return out.to_host();
}

std::array<std::uint32_t, 4> bits(const float4& v) {
  return {std::bit_cast<std::uint32_t>(v.x), std::bit_cast<std::uint32_t>(v.y),
          std::bit_cast<std::uint32_t>(v.z), std::bit_cast<std::uint32_t>(v.w)};
}

bool same_bits(const Reads& a, const Reads& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const float4& x, const float4& y) { return bits(x) == bits(y); });
}

// FNV-1a over words.
void add_to_digest(std::uint64_t& hash, const Reads& reads) {
  for (const float4& read : reads)
    for (const std::uint32_t word : bits(read)) hash = (hash ^ word) * 1099511628211u;
}

// The digest of the software unit's results.
std::uint64_t digest_of_definition() {
  static const std::uint64_t digest = [] {
    std::uint64_t hash = 14695981039346656037u;
    for (const PixelType type : types)
      add_to_digest(hash, software_reads(test_image(type), type, reads_in_digest));
    add_to_digest(hash, software_level_reads(reads_in_digest));
    return hash;
  }();
  return digest;
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

std::future<void> begin_texture_check() {
  static std::atomic<bool> has_begun = false;
  if (has_begun.exchange(true)) return {};
  return std::async(std::launch::async | std::launch::deferred, [] { digest_of_definition(); });
}

ExactFilters check_texture_unit(CudaQueue& queue, const cudaDeviceProp& properties) {
  int driver = 0;
  CUIMG_CUDA(cudaDriverGetVersion, &driver);
  const std::string key = uuid_text(properties.uuid) + "-" + std::to_string(driver);

  static std::mutex mutex;
  static std::map<std::string, ExactFilters>* const known = new std::map<std::string, ExactFilters>;
  std::lock_guard lock(mutex);
  if (const auto found = known->find(key); found != known->end()) return found->second;

  ExactFilters filters;
  if (const auto cached = load_self_check(key, digest_of_definition())) {
    for (const PixelType type : types)
      filters.types[static_cast<std::size_t>(type)] = cached->contains(name_of(type));
    filters.levels = cached->contains("levels");
  } else {
    std::set<std::string, std::less<>> exact;
    for (const PixelType type : types) {
      const Image image = test_image(type);
      const bool same =
          same_bits(card_reads(queue, image), software_reads(image, type, reads_per_case));
      filters.types[static_cast<std::size_t>(type)] = same;
      if (same) exact.emplace(name_of(type));
    }
    filters.levels = same_bits(card_level_reads(queue), software_level_reads(reads_per_case));
    if (filters.levels) exact.emplace("levels");
    store_self_check(key, digest_of_definition(), exact);
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

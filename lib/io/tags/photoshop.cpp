// SPDX-License-Identifier: Apache-2.0
#include "io/tags/photoshop.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "base/bytes.h"
#include "base/contains.h"
#include "io/tags/iptc.h"

namespace cuimg {
namespace {

constexpr std::uint16_t iptc_resource = 0x0404;
constexpr std::uint16_t resolution_resource = 0x03ed;
// Resources that repeat what the file states elsewhere, or that belong to layers and channels,
// which only a PSD has: sizes and channels of old versions, ResolutionInfo, names and numbers of
// alpha channels, layers' state and groups, thumbnails, the ICC profile and whether there is none,
// colours of a palette, VersionInfo, EXIF, XMP, and the choice of layers. Names are exiftool's.
constexpr std::array<std::uint16_t, 24> other_resources = {
    0x03e8,        0x03ea, 0x03eb, resolution_resource,
    0x03ee,        0x03ff, 0x0400, 0x0402,
    iptc_resource, 0x0409, 0x040c, 0x040f,
    0x0411,        0x0415, 0x0416, 0x0417,
    0x041d,        0x0421, 0x0422, 0x0423,
    0x0424,        0x042d, 0x0430, 0x0435};

// Guides, slices, counted objects, and paths including the clipping path, which refer to positions
// in the picture.
bool has_places(std::uint16_t number) {
  constexpr std::uint16_t guides = 0x0408, slices = 0x041a, counts = 0x0438, first_path = 2000,
                          clipping_path = 2999;
  return number == guides || number == slices || number == counts ||
         (number >= first_path && number <= clipping_path);
}

// ResolutionInfo: pixels per inch horizontally and vertically in 16.16 fixed point, each with two
// units, which are only those in which Photoshop displays them. Nothing if pixels are not square.
std::optional<double> density_of(std::span<const std::byte> resolution) {
  constexpr std::size_t all = 16, down_at = 8;
  if (resolution.size() < all) return std::nullopt;
  const auto fixed = [&](std::size_t at) {
    return static_cast<double>(number_at(resolution, at, 4, true)) / 65536;
  };
  constexpr double least = 0.01;  // some programs store 1 for a picture without density
  const double across = fixed(0), down = fixed(down_at);
  const bool is_square = down < least || down == across;
  return across >= least && is_square ? std::optional(across) : std::nullopt;
}

// Including its name.
void append_whole(const PhotoshopResource& resource, Blob& to) {
  append_bytes(to, resource.whole);
  // the resource ended with the file, without padding
  if (resource.whole.size() % 2 != 0) to.push_back(std::byte{0});
}

}  // namespace

std::vector<PhotoshopResource> photoshop_resources(std::span<const std::byte> bytes) {
  std::vector<PhotoshopResource> resources;
  for (std::size_t at = 0; bytes.size() - at >= 12 && std::memcmp(&bytes[at], "8BIM", 4) == 0;) {
    const auto number = static_cast<std::uint16_t>(number_at(bytes, at + 4, 2, true));
    // A name with one length byte, padded to an even size; then the size of the following data.
    std::size_t head = 6 + (std::to_integer<std::size_t>(bytes[at + 6]) + 2) / 2 * 2;
    const auto size = static_cast<std::size_t>(number_at(bytes, at + head, 4, true));
    head += 4;
    if (head > bytes.size() - at || size > bytes.size() - at - head) break;
    const std::size_t padded = head + size + std::min(size % 2, bytes.size() - at - head - size);
    resources.push_back({number, bytes.subspan(at + head, size), bytes.subspan(at, padded)});
    at += padded;
  }
  return resources;
}

void take_photoshop(std::span<const std::byte> bytes, Metadata& metadata) {
  Blob carried;
  for (const PhotoshopResource& resource : photoshop_resources(bytes)) {
    if (resource.number == iptc_resource && !resource.body.empty())
      metadata.emplace(iptc_key, Blob(resource.body.begin(), resource.body.end()));
    if (resource.number == resolution_resource)
      if (const auto density = density_of(resource.body)) metadata.emplace("xDensity", *density);
    if (!contains(other_resources, resource.number)) append_whole(resource, carried);
  }
  if (!carried.empty()) metadata.emplace(photoshop_key, std::move(carried));
}

bool leave_out_photoshop_places(Metadata& metadata) {
  const Blob* const carried = find_entry<Blob>(metadata, photoshop_key);
  if (carried == nullptr) return false;
  Blob kept;
  for (const PhotoshopResource& resource : photoshop_resources(*carried))
    if (!has_places(resource.number)) append_whole(resource, kept);
  if (kept.size() == carried->size()) return false;
  if (kept.empty())
    metadata.erase(photoshop_key);
  else
    metadata[photoshop_key] = std::move(kept);
  return true;
}

Blob photoshop_to_write(const Metadata& metadata) {
  Blob resources;
  if (const Blob* records = find_entry<Blob>(metadata, iptc_key))
    resources = photoshop_of_iptc(*records);
  if (const Blob* carried = find_entry<Blob>(metadata, photoshop_key))
    append_bytes(resources, *carried);
  return resources;
}

Blob photoshop_of_iptc(std::span<const std::byte> records) {
  constexpr std::size_t head = 12;
  Blob resource(head + records.size() + records.size() % 2);
  std::memcpy(resource.data(), "8BIM", 4);
  put_number(std::span(resource).subspan(4, 2), iptc_resource, true);
  put_number(std::span(resource).subspan(8, 4), records.size(), true);
  std::ranges::copy(records, resource.begin() + head);
  return resource;
}

}  // namespace cuimg

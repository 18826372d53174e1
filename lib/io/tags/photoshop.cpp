// SPDX-License-Identifier: Apache-2.0
#include "io/tags/photoshop.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/bytes.h"
#include "io/tags/iptc.h"

namespace cuimg {
namespace {

constexpr std::uint16_t iptc_resource = 0x0404;
// CopyrightFlag, URL and IPTCDigest, as exiftool calls them.
constexpr std::array<std::uint16_t, 3> carried_resources = {0x040a, 0x040b, 0x0425};

void append_resource(std::uint16_t number, std::span<const std::byte> body, Blob& to) {
  constexpr std::size_t head = 12;
  Blob resource(head + body.size() + body.size() % 2);
  std::memcpy(resource.data(), "8BIM", 4);
  put_number(std::span(resource).subspan(4, 2), number, true);
  put_number(std::span(resource).subspan(8, 4), body.size(), true);
  std::ranges::copy(body, resource.begin() + head);
  append_bytes(to, resource);
}

}  // namespace

std::vector<PhotoshopResource> photoshop_resources(std::span<const std::byte> bytes) {
  std::vector<PhotoshopResource> resources;
  for (std::size_t at = 0; bytes.size() - at >= 12 && std::memcmp(&bytes[at], "8BIM", 4) == 0;) {
    const auto number = static_cast<std::uint16_t>(number_at(bytes, at + 4, 2, true));
    // A name of one byte of length, made even; then the size of what follows.
    std::size_t head = 6 + (std::to_integer<std::size_t>(bytes[at + 6]) + 2) / 2 * 2;
    const auto size = static_cast<std::size_t>(number_at(bytes, at + head, 4, true));
    head += 4;
    if (head > bytes.size() - at || size > bytes.size() - at - head) break;
    resources.push_back({number, bytes.subspan(at + head, size)});
    at += head + size;
    at += std::min(size % 2, bytes.size() - at);
  }
  return resources;
}

void take_photoshop(std::span<const std::byte> bytes, Metadata& metadata) {
  Blob carried;
  for (const PhotoshopResource& resource : photoshop_resources(bytes)) {
    if (resource.number == iptc_resource && !resource.body.empty())
      metadata.emplace(iptc_key, Blob(resource.body.begin(), resource.body.end()));
    if (std::ranges::find(carried_resources, resource.number) != carried_resources.end())
      append_resource(resource.number, resource.body, carried);
  }
  if (!carried.empty()) metadata.emplace(photoshop_key, std::move(carried));
}

Blob photoshop_to_write(const Metadata& metadata) {
  Blob resources;
  if (const Blob* records = find_entry<Blob>(metadata, iptc_key))
    resources = photoshop_of_iptc(*records);
  if (const Blob* carried = find_entry<Blob>(metadata, photoshop_key))
    append_bytes(resources, *carried);
  return resources;
}

std::span<const std::byte> iptc_in_photoshop(std::span<const std::byte> bytes) {
  for (const PhotoshopResource& resource : photoshop_resources(bytes))
    if (resource.number == iptc_resource) return resource.body;
  return {};
}

Blob photoshop_of_iptc(std::span<const std::byte> records) {
  Blob resources;
  append_resource(iptc_resource, records, resources);
  return resources;
}

}  // namespace cuimg

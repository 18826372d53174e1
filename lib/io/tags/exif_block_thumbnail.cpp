// SPDX-License-Identifier: Apache-2.0
// The second directory of an EXIF block, which describes a small picture. Damaged blocks may point
// anywhere: the contents of the other directories are never treated as the picture.
#include <algorithm>
#include <array>

#include "io/tags/exif_block.h"

namespace cuimg {
namespace {

constexpr std::size_t header_size = 8, record_size = 12, count_size = 2, link_size = 4;
constexpr std::uint16_t strip_places = 0x0111, strip_sizes = 0x0117, jpeg_place = 0x0201,
                        jpeg_size = 0x0202;

}  // namespace

bool ExifBlock::Extent::is_apart_from(const std::vector<Extent>& others) const {
  return std::ranges::none_of(others, [&](const Extent& other) { return overlaps(other); });
}

// The position in the first directory of the link to the second one; 0 if there is none.
std::size_t ExifBlock::link_to_thumbnail() const {
  const std::size_t place = place_of(ExifDirectory::primary);
  const std::size_t link =
      place + count_size + record_size * static_cast<std::size_t>(number(place, count_size));
  return place < header_size || link + link_size > bytes_.size() ? 0 : link;
}

std::size_t ExifBlock::thumbnail_place() const {
  const std::size_t link = link_to_thumbnail();
  const auto place = link == 0 ? 0 : static_cast<std::size_t>(number(link, link_size));
  return place < header_size || place + count_size > bytes_.size() ? 0 : place;
}

// The bytes of the other directories and their values.
std::vector<ExifBlock::Extent> ExifBlock::extents() const {
  std::vector<Extent> all = {{0, header_size}};
  using enum ExifDirectory;
  for (const ExifDirectory directory : {primary, camera, gps, interop}) {
    const std::size_t place = place_of(directory);
    if (place < header_size || place + count_size > bytes_.size()) continue;
    const auto count = static_cast<std::size_t>(number(place, count_size));
    all.push_back(
        {place, std::min(bytes_.size(), place + count_size + record_size * count + link_size)});
    for (const ExifEntry& entry : entries_at(place)) {
      const auto begin = static_cast<std::size_t>(entry.value.data() - bytes_.data());
      all.push_back({begin, begin + entry.value.size()});
    }
  }
  return all;
}

// A JPEG, or the strips of an uncompressed picture, as far as they lie in the block.
std::vector<ExifBlock::Extent> ExifBlock::thumbnail_extents() const {
  const std::size_t place = thumbnail_place();
  std::vector<double> jpeg_begin, jpeg_bytes, begins, sizes;
  if (place == 0) return {};
  for (const ExifEntry& entry : entries_at(place)) {
    if (entry.tag == jpeg_place) jpeg_begin = numbers(entry);
    if (entry.tag == jpeg_size) jpeg_bytes = numbers(entry);
    if (entry.tag == strip_places) begins = numbers(entry);
    if (entry.tag == strip_sizes) sizes = numbers(entry);
  }
  if (jpeg_begin.size() == 1 && jpeg_bytes.size() == 1) {
    begins = jpeg_begin;
    sizes = jpeg_bytes;
  }
  std::vector<Extent> found;
  const std::vector<Extent> others = extents();
  const auto all = static_cast<double>(bytes_.size());
  for (std::size_t i = 0; i < std::min(begins.size(), sizes.size()); ++i) {
    if (!(begins[i] >= header_size && begins[i] < all && sizes[i] > 0)) continue;
    const Extent extent{static_cast<std::size_t>(begins[i]),
                        static_cast<std::size_t>(std::min(all, begins[i] + sizes[i]))};
    if (extent.is_apart_from(others)) found.push_back(extent);
  }
  return found;
}

std::span<const std::byte> ExifBlock::thumbnail() const& {
  const std::vector<Extent> found = thumbnail_extents();
  if (found.size() != 1) return {};
  return std::span(bytes_).subspan(found[0].begin, found[0].end - found[0].begin);
}

void ExifBlock::drop_thumbnail() {
  const std::size_t place = thumbnail_place(), link = link_to_thumbnail();
  std::vector<Extent> dropped = thumbnail_extents();
  if (link != 0) put(link, link_size, 0);
  if (place == 0) return;
  const auto count = static_cast<std::size_t>(number(place, count_size));
  dropped.push_back({place, place + count_size + record_size * count + link_size});
  for (const ExifEntry& entry : entries_at(place)) {
    const auto begin = static_cast<std::size_t>(entry.value.data() - bytes_.data());
    dropped.push_back({begin, begin + entry.value.size()});
  }
  const std::vector<Extent> others = extents();
  std::size_t used = 0;
  for (const Extent& other : others) used = std::max(used, other.end);
  for (const Extent& extent : dropped)
    if (extent.end <= bytes_.size() && extent.is_apart_from(others))
      std::fill(bytes_.begin() + static_cast<std::ptrdiff_t>(extent.begin),
                bytes_.begin() + static_cast<std::ptrdiff_t>(extent.end), std::byte{0});
  // In most blocks the thumbnail is at the end, followed by zeros if its space was larger.
  const auto rest = std::span(bytes_).subspan(used);
  if (std::ranges::all_of(rest, [](std::byte byte) { return byte == std::byte{0}; }))
    bytes_.resize(used);
}

void ExifBlock::make_thumbnail_room(std::size_t bytes) {
  drop_thumbnail();
  const std::size_t link = link_to_thumbnail();
  if (link == 0 || bytes == 0) return;
  struct Field {
    std::uint16_t tag;
    TiffType type;
    std::uint32_t value;
  };
  bytes_.resize(bytes_.size() + bytes_.size() % 2);
  constexpr std::size_t fields = 6, densities = 2, density_bytes = 8;
  const std::size_t place = bytes_.size();
  const std::size_t values = place + count_size + record_size * fields + link_size;
  const std::size_t picture = values + densities * density_bytes;
  static_assert(1 + count_size + record_size * fields + link_size + densities * density_bytes <=
                thumbnail_directory_bytes);
  bytes_.resize(picture + bytes);
  constexpr std::uint32_t jpeg = 6, inches = 2, dots_an_inch = 72;
  const std::array<Field, fields> all = {
      {{0x0103, TiffType::u16, jpeg},
       {0x011a, TiffType::rational, static_cast<std::uint32_t>(values)},
       {0x011b, TiffType::rational, static_cast<std::uint32_t>(values + density_bytes)},
       {0x0128, TiffType::u16, inches},
       {jpeg_place, TiffType::u32, static_cast<std::uint32_t>(picture)},
       {jpeg_size, TiffType::u32, static_cast<std::uint32_t>(bytes)}}};
  put(link, link_size, place);
  put(place, count_size, fields);
  std::size_t record = place + count_size;
  for (const Field& field : all) {
    put(record, 2, field.tag);
    put(record + 2, 2, static_cast<std::uint16_t>(field.type));
    put(record + 4, 4, 1);
    put(record + 8, field.type == TiffType::u16 ? 2 : 4, field.value);
    record += record_size;
  }
  for (std::size_t i = 0; i < densities; ++i) {
    put(values + density_bytes * i, 4, dots_an_inch);
    put(values + density_bytes * i + 4, 4, 1);
  }
}

void ExifBlock::put_thumbnail(std::span<const std::byte> jpeg) {
  const std::span<const std::byte> room = thumbnail();
  if (jpeg.empty() || jpeg.size() > room.size()) {
    if (const std::size_t link = link_to_thumbnail(); link != 0) put(link, link_size, 0);
    return;
  }
  std::ranges::copy(jpeg, bytes_.begin() + (room.data() - bytes_.data()));
  for (const ExifEntry& entry : entries_at(thumbnail_place()))
    if (entry.tag == jpeg_size) put(entry.record + 8, 4, jpeg.size());
}

}  // namespace cuimg

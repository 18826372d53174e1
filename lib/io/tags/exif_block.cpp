// SPDX-License-Identifier: Apache-2.0
// Every offset is checked; a directory is read only as far as the block reaches.
#include "io/tags/exif_block.h"

#include <algorithm>
#include <cmath>

#include "base/utf8.h"

namespace cuimg {
namespace {

constexpr std::size_t header_size = 8, record_size = 12;
constexpr std::uint16_t camera_pointer = 0x8769, gps_pointer = 0x8825, interop_pointer = 0xa005;

struct Pointer {
  ExifDirectory in;
  std::uint16_t tag;
};
Pointer pointer_to(ExifDirectory directory) {
  if (directory == ExifDirectory::camera) return {ExifDirectory::primary, camera_pointer};
  if (directory == ExifDirectory::gps) return {ExifDirectory::primary, gps_pointer};
  return {ExifDirectory::camera, interop_pointer};
}

bool is_exif(std::span<const std::byte> bytes) {
  if (bytes.size() < header_size || bytes.size() > std::size_t{1} << 30) return false;
  const auto mark = std::to_integer<char>(bytes[0]);
  return bytes[0] == bytes[1] && (mark == 'I' || mark == 'M') &&
         number_at(bytes, 2, 2, mark == 'M') == 42;
}

}  // namespace

ExifBlock::ExifBlock(Blob bytes) : bytes_(std::move(bytes)) {
  if (is_exif(bytes_)) {
    big_endian_ = bytes_[0] == std::byte{'M'};
    return;
  }
  bytes_.assign(header_size + 6, std::byte{0});
  bytes_[0] = bytes_[1] = std::byte{'I'};
  put(2, 2, 42);
  put(4, 4, header_size);
}

void ExifBlock::put(std::size_t at, std::size_t count, std::uint64_t value) {
  if (at <= bytes_.size() && count <= bytes_.size() - at)
    put_number(std::span(bytes_).subspan(at, count), value, big_endian_);
}

// Values begin at even positions.
std::size_t ExifBlock::append(std::span<const std::byte> value) {
  bytes_.resize(bytes_.size() + bytes_.size() % 2);
  const std::size_t at = bytes_.size();
  append_bytes(bytes_, value);
  return at;
}

std::vector<ExifEntry> ExifBlock::entries_at(std::size_t place) const {
  std::vector<ExifEntry> entries;
  const std::uint64_t count = place == 0 ? 0 : number(place, 2);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::size_t at = place + 2 + record_size * static_cast<std::size_t>(i);
    if (at + record_size > bytes_.size()) break;
    ExifEntry entry{static_cast<std::uint16_t>(number(at, 2)),
                    static_cast<std::uint16_t>(number(at + 2, 2)),
                    static_cast<std::uint32_t>(number(at + 4, 4)),
                    at,
                    {}};
    const std::uint64_t size = std::uint64_t{entry.count} * tiff_value_bytes(entry.type);
    const std::uint64_t from = size <= 4 ? at + 8 : number(at + 8, 4);
    if (size == 0 || from > bytes_.size() || size > bytes_.size() - from) continue;
    entry.value =
        std::span(bytes_).subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(size));
    entries.push_back(entry);
  }
  return entries;
}

std::size_t ExifBlock::place_of(ExifDirectory directory) const {
  if (directory == ExifDirectory::primary) return static_cast<std::size_t>(number(4, 4));
  const Pointer pointer = pointer_to(directory);
  const auto entry = find(pointer.in, pointer.tag);
  if (!entry || tiff_value_bytes(entry->type) != 4) return 0;
  return static_cast<std::size_t>(number_at(entry->value, 0, 4, big_endian_));
}

std::vector<ExifEntry> ExifBlock::entries(ExifDirectory directory) const {
  return entries_at(place_of(directory));
}

std::optional<ExifEntry> ExifBlock::find(ExifDirectory directory, std::uint16_t tag) const {
  for (const ExifEntry& entry : entries(directory))
    if (entry.tag == tag) return entry;
  return std::nullopt;
}

std::vector<double> ExifBlock::numbers(const ExifEntry& entry) const {
  const auto type = static_cast<TiffType>(entry.type);
  const bool is_rational = type == TiffType::rational || type == TiffType::srational;
  const bool is_signed = type == TiffType::s16 || type == TiffType::s32 ||
                         type == TiffType::srational || entry.type == 6;
  const bool whole = type == TiffType::byte || type == TiffType::u16 || type == TiffType::u32 ||
                     type == TiffType::ifd;
  if (!is_rational && !is_signed && !whole) return {};
  const std::size_t bytes = tiff_number_bytes(entry.type);
  std::vector<double> values;
  for (std::size_t at = 0; at < entry.value.size(); at += bytes) {
    const std::uint64_t raw = number_at(entry.value, at, bytes, big_endian_);
    const auto sign = std::uint64_t{1} << (8 * bytes - 1);
    values.push_back(is_signed && (raw & sign) != 0 ? -static_cast<double>((sign << 1) - raw)
                                                    : static_cast<double>(raw));
  }
  if (!is_rational) return values;
  std::vector<double> quotients;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2)
    quotients.push_back(values[i + 1] == 0 ? (values[i] == 0 ? 0 : HUGE_VAL)
                                           : values[i] / values[i + 1]);
  return quotients;
}

std::string ExifBlock::text(const ExifEntry& entry) {
  std::string text(text_of_bytes(entry.value));
  text.resize(std::min(text.find('\0'), text.size()));
  text.resize(text.find_last_not_of(" \n\r\t") + 1);
  return as_utf8(text);  // EXIF requires ASCII, but not all cameras obey
}

void ExifBlock::point_at(ExifDirectory directory, std::size_t place) {
  if (directory == ExifDirectory::primary) return put(4, 4, place);
  const Pointer pointer = pointer_to(directory);
  set_numbers(pointer.in, pointer.tag, TiffType::u32, {static_cast<std::uint32_t>(place)});
}

std::size_t ExifBlock::make(ExifDirectory directory) {
  const std::size_t place = place_of(directory);
  if (place >= header_size && place + 6 <= bytes_.size()) return place;
  const std::size_t made = append(Blob(6));  // no entries, and no next directory
  point_at(directory, made);
  return made;
}

void ExifBlock::set(ExifDirectory directory, std::uint16_t tag, TiffType type, const Blob& value) {
  const auto code = static_cast<std::uint16_t>(type);
  const auto count = value.size() / tiff_value_bytes(code);
  if (count == 0) return remove(directory, tag);
  std::size_t record = 0;
  if (const auto old = find(directory, tag)) {
    record = old->record;
    const std::size_t room = std::max<std::size_t>(old->value.size(), 4);
    clear(*old);
    if (value.size() > 4 && value.size() <= room) {
      std::ranges::copy(value, bytes_.begin() + (old->value.data() - bytes_.data()));
      put(record + 2, 2, code);
      put(record + 4, 4, count);
      return;
    }
  } else {
    remove(directory, tag);  // an entry whose value cannot be read
    const std::size_t place = make(directory);
    const auto entries = static_cast<std::size_t>(number(place, 2));
    const std::size_t size = 2 + record_size * entries;
    if (place + size > bytes_.size()) return;  // it is truncated: leave it unchanged
    std::size_t before = 0;
    while (before < entries && number(place + 2 + record_size * before, 2) < tag) ++before;
    const auto old_bytes = std::span(bytes_).subspan(place, size);
    const std::uint64_t next = number(place + size, 4);
    Blob longer(old_bytes.begin(), old_bytes.end());
    longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(2 + record_size * before),
                  record_size, std::byte{0});
    longer.resize(longer.size() + 4);
    const std::size_t moved = append(longer);
    put(moved, 2, entries + 1);
    put(moved + size + record_size, 4, next);
    record = moved + 2 + record_size * before;
    put(record, 2, tag);
    point_at(directory, moved);
  }
  put(record + 2, 2, code);
  put(record + 4, 4, count);
  put(record + 8, 4, 0);
  if (value.size() <= 4)
    std::ranges::copy(value, bytes_.begin() + static_cast<std::ptrdiff_t>(record + 8));
  else
    put(record + 8, 4, append(value));
}

void ExifBlock::set_text(ExifDirectory directory, std::uint16_t tag, const std::string& text) {
  set(directory, tag, TiffType::ascii, bytes_of_text({text.c_str(), text.size() + 1}));
}

void ExifBlock::set_numbers(ExifDirectory directory, std::uint16_t tag, TiffType type,
                            const std::vector<std::uint32_t>& values) {
  const std::size_t bytes = tiff_number_bytes(static_cast<std::uint16_t>(type));
  Blob value(values.size() * bytes);
  for (std::size_t i = 0; i < values.size(); ++i)
    put_number(std::span(value).subspan(i * bytes, bytes), values[i], big_endian_);
  set(directory, tag, type, value);
}

void ExifBlock::clear(const ExifEntry& entry) {
  std::fill_n(bytes_.begin() + (entry.value.data() - bytes_.data()), entry.value.size(),
              std::byte{0});
}

void ExifBlock::remove(ExifDirectory directory, std::uint16_t tag) {
  if (const auto entry = find(directory, tag)) clear(*entry);
  const std::size_t place = place_of(directory);
  const auto entries = place == 0 ? 0 : static_cast<std::size_t>(number(place, 2));
  const std::size_t end = place + 2 + record_size * entries + 4;
  if (end > bytes_.size()) return;
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t record = place + 2 + record_size * i;
    if (number(record, 2) != tag) continue;
    const auto rest = std::span(bytes_).subspan(record, end - record);
    std::ranges::copy(rest.subspan(record_size), rest.begin());
    std::ranges::fill(rest.last(record_size), std::byte{0});
    put(place, 2, entries - 1);
    return;
  }
}

}  // namespace cuimg

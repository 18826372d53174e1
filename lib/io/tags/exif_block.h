// SPDX-License-Identifier: Apache-2.0
// Changes to an EXIF block that do not move any other byte: maker notes contain offsets relative to
// the block's beginning.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "image/spec.h"
#include "io/tags/tiff_values.h"

namespace cuimg {

enum class ExifDirectory : std::uint8_t { primary, camera, gps, interop };

struct ExifEntry {
  std::uint16_t tag = 0, type = 0;
  std::uint32_t count = 0;
  std::size_t record = 0;            ///< The position of its 12 bytes in the directory.
  std::span<const std::byte> value;  ///< Empty if the value passes the block's end.
};

class ExifBlock {
 public:
  /// @param bytes from the TIFF header on. Data that is not EXIF becomes a block without entries.
  explicit ExifBlock(Blob bytes);
  ExifBlock() : ExifBlock(Blob()) {}

  bool is_empty() const { return entries(ExifDirectory::primary).empty(); }
  bool big_endian() const { return big_endian_; }
  const Blob& bytes() const { return bytes_; }
  /// The entries that have a known type and a value inside the block.
  std::vector<ExifEntry> entries(ExifDirectory directory) const;
  std::optional<ExifEntry> find(ExifDirectory directory, std::uint16_t tag) const;
  /// An entry's numbers unchanged; a rational as a quotient. Empty for texts.
  std::vector<double> numbers(const ExifEntry& entry) const;
  /// Up to the first NUL, without trailing blanks, in UTF-8.
  static std::string text(const ExifEntry& entry);

  /// Overwrites the entry if its value has enough room, otherwise puts the value at the block's
  /// end; a directory that grows also moves there.
  void set(ExifDirectory directory, std::uint16_t tag, TiffType type, const Blob& value);
  void set_text(ExifDirectory directory, std::uint16_t tag, const std::string& text);
  /// Numbers of type u16, u32 or byte; for rationals alternately numerators and denominators.
  void set_numbers(ExifDirectory directory, std::uint16_t tag, TiffType type,
                   const std::vector<std::uint32_t>& values);
  /// The value's bytes are cleared too.
  void remove(ExifDirectory directory, std::uint16_t tag);

  /// Whether there is a second directory that refers to a picture in the block.
  bool has_thumbnail() const { return !thumbnail_extents().empty(); }
  /// That picture; empty if there is none, or if it has several strips.
  std::span<const std::byte> thumbnail() const&;
  std::span<const std::byte> thumbnail() && = delete;
  /// Removes the second directory, its picture, and its other values.
  void drop_thumbnail();
  /// Replaces any second directory by a new one, with zeros at the block's end for its JPEG.
  void make_thumbnail_room(std::size_t bytes);
  /// Stores a JPEG in the space of the second directory; nothing after it moves. If it is empty or
  /// does not fit, it is left out together with the directory.
  void put_thumbnail(std::span<const std::byte> jpeg);

  /// What make_thumbnail_room() adds to the room, at most.
  static constexpr std::size_t thumbnail_directory_bytes = 96;

 private:
  // Bytes [begin, end).
  struct Extent {
    std::size_t begin = 0, end = 0;
    bool overlaps(const Extent& other) const { return other.begin < end && begin < other.end; }
    bool is_apart_from(const std::vector<Extent>& others) const;
  };
  std::uint64_t number(std::uint64_t at, std::size_t count) const {
    return number_at(bytes_, at, count, big_endian_);
  }
  void put(std::size_t at, std::size_t count, std::uint64_t value);
  std::size_t append(std::span<const std::byte> value);
  std::size_t place_of(ExifDirectory directory) const;
  std::vector<ExifEntry> entries_at(std::size_t place) const;
  std::size_t make(ExifDirectory directory);
  void point_at(ExifDirectory directory, std::size_t place);
  void clear(const ExifEntry& entry);
  std::size_t link_to_thumbnail() const;
  std::size_t thumbnail_place() const;
  std::vector<Extent> extents() const;
  std::vector<Extent> thumbnail_extents() const;

  Blob bytes_;
  bool big_endian_ = false;
};

}  // namespace cuimg

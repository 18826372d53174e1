// SPDX-License-Identifier: Apache-2.0
// An EXIF block and changes to it that leave every other byte where it is: maker notes hold offsets
// that count from the block's beginning.
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
  std::size_t record = 0;            ///< Where the directory's 12 bytes for it are.
  std::span<const std::byte> value;  ///< Empty where it passes the block's end.
};

class ExifBlock {
 public:
  /// @param bytes from the TIFF header on. What is no EXIF becomes a block without entries.
  explicit ExifBlock(Blob bytes);
  ExifBlock() : ExifBlock(Blob()) {}

  bool is_empty() const { return entries(ExifDirectory::primary).empty(); }
  bool big_endian() const { return big_endian_; }
  const Blob& bytes() const { return bytes_; }
  /// Those with a known type and a value inside the block.
  std::vector<ExifEntry> entries(ExifDirectory directory) const;
  std::optional<ExifEntry> find(ExifDirectory directory, std::uint16_t tag) const;
  /// An entry's numbers as they are; a rational as a quotient. Empty for texts.
  std::vector<double> numbers(const ExifEntry& entry) const;
  /// Up to the first NUL, without blanks at the end, in UTF-8.
  static std::string text(const ExifEntry& entry);

  /// Overwrites the entry where its value has room, else puts the value at the block's end; a
  /// directory that gets longer moves there too.
  void set(ExifDirectory directory, std::uint16_t tag, TiffType type, const Blob& value);
  void set_text(ExifDirectory directory, std::uint16_t tag, const std::string& text);
  /// Numbers of type u16, u32 or byte; for rationals numerators and denominators in turn.
  void set_numbers(ExifDirectory directory, std::uint16_t tag, TiffType type,
                   const std::vector<std::uint32_t>& values);
  /// The value's bytes are cleared too.
  void remove(ExifDirectory directory, std::uint16_t tag);

  /// Whether there is a second directory that names a picture in the block.
  bool has_thumbnail() const { return !thumbnail_extents().empty(); }
  /// That picture; empty where there is none, or one in several strips.
  std::span<const std::byte> thumbnail() const&;
  std::span<const std::byte> thumbnail() && = delete;
  /// The second directory, the picture that it names, and what else it holds.
  void drop_thumbnail();
  /// A second directory in place of what there was, and zeros at the block's end where it has a
  /// JPEG.
  void make_thumbnail_room(std::size_t bytes);
  /// Puts a JPEG where the second directory has one; nothing after it moves. One that is empty or
  /// does not fit is left out, and the directory with it.
  void put_thumbnail(std::span<const std::byte> jpeg);

  /// What make_thumbnail_room() adds at most to the room.
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

// SPDX-License-Identifier: Apache-2.0
// EXIF's directories independent of their positions: extracted from a TIFF file, put into one, or
// laid out again without gaps.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "image/spec.h"

namespace cuimg {

struct ExifField {
  std::uint16_t tag = 0, type = 0;
  std::uint64_t count = 0;
  Blob value;               ///< In the tree's byte order.
  std::uint64_t place = 0;  ///< Where the file had it; 0: inside the directory, or it is new.
};
using ExifFields = std::vector<ExifField>;

struct ExifTree {
  bool big_endian = false;
  ExifFields primary, camera, gps, interop;  ///< Without the pointers from one to another.
};

/// The fields of one directory of a TIFF or BigTIFF file that have one of those tags.
ExifFields read_tiff_fields(std::span<const std::byte> file, std::uint64_t directory,
                            std::span<const std::uint16_t> tags);

/// Of the first directory only what says something of the picture, not of how pixels are stored or
/// which colours they are. @param file a TIFF or BigTIFF file. @param directory the first one's
/// place. @param left_out gets names of what is neither.
ExifTree read_exif_tree(std::span<const std::byte> file, std::uint64_t directory,
                        std::vector<std::string>& left_out);
/// Of an EXIF block: all but places of pixels and other directories.
ExifTree read_exif_tree(std::span<const std::byte> block);

/// The tags of colours that a TIFF file's first directory shares with EXIF's.
inline constexpr std::uint16_t white_point_tag = 0x013e, primaries_tag = 0x013f;
/// Whether those fields say which colours pixels are: a white alone does not.
bool tells_colors(const ExifFields& primary);

/// A maker note whose offsets are right where it was: most count from the beginning of the file or
/// block. Null where there is none, or so far on that what lies before it would be mostly nothing.
const ExifField* note_with_place(const ExifTree& tree);
bool has_maker_note(const ExifTree& tree);
/// Whether values are in the tree's byte order without any type saying so: a maker note's, and the
/// letters of a comment in Unicode.
bool needs_byte_order(const ExifTree& tree);

/// As a block of its own; empty for a tree without fields.
/// @param keeps_note whether note_with_place() stays there, behind zeros if need be.
Blob exif_block_of(const ExifTree& tree, bool keeps_note = true);

/// Directories to append to a TIFF file.
struct TiffDirectories {
  Blob bytes;
  std::uint64_t camera = 0, gps = 0;  ///< Places in the file; 0: none.
};
/// How a TIFF file has its directories.
struct TiffForm {
  bool big = false;  ///< BigTIFF.
  bool big_endian = false;
  bool has_note = false;  ///< note_with_place() is written there already.
};
/// @param at where in the file the bytes will lie, an even place.
TiffDirectories tiff_directories_of(const ExifTree& tree, std::uint64_t at, TiffForm form);

}  // namespace cuimg

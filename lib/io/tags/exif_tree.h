// SPDX-License-Identifier: Apache-2.0
// EXIF's directories without their positions: extracted from a TIFF file, put into one, or laid out
// again without gaps.
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
  std::uint64_t place = 0;  ///< Its position in the file; 0: it is inside the directory, or new.
};
using ExifFields = std::vector<ExifField>;

struct ExifTree {
  bool big_endian = false;
  ExifFields primary, camera, gps, interop;  ///< Without the pointers between directories.
};

/// The fields with one of those tags in a directory of a TIFF or BigTIFF file.
ExifFields read_tiff_fields(std::span<const std::byte> file, std::uint64_t directory,
                            std::span<const std::uint16_t> tags);

/// Reads only the fields of the first directory that describe the picture, not those that describe
/// its storage or its colours. @param file a TIFF or BigTIFF file. @param directory the first one's
/// position. @param left_out gets the names of other fields.
ExifTree read_exif_tree(std::span<const std::byte> file, std::uint64_t directory,
                        std::vector<std::string>& left_out);
/// Reads an EXIF block: everything except positions of pixels and other directories.
ExifTree read_exif_tree(std::span<const std::byte> block);

/// Tags of colours that the first directory of a TIFF file shares with EXIF's.
inline constexpr std::uint16_t white_point_tag = 0x013e, primaries_tag = 0x013f;
/// Whether those fields define the pixels' colours: a white point alone does not.
bool tells_colors(const ExifFields& primary);

/// A maker note whose offsets are only right at its old position: most count from the beginning of
/// the file or block. Null if there is none, or if it would have to be preceded by mostly empty
/// space.
const ExifField* note_with_place(const ExifTree& tree);
bool has_maker_note(const ExifTree& tree);
/// Whether some values have the tree's byte order although their type does not say so: a maker
/// note, and the characters of a Unicode comment.
bool needs_byte_order(const ExifTree& tree);

/// The tree as a block; empty for a tree without fields.
/// @param keeps_note whether note_with_place() keeps its position, after zeros if necessary.
Blob exif_block_of(const ExifTree& tree, bool keeps_note = true);

/// Directories to append to a TIFF file.
struct TiffDirectories {
  Blob bytes;
  std::uint64_t camera = 0, gps = 0;  ///< Positions in the file; 0: none.
};
/// The form of directories in a TIFF file.
struct TiffForm {
  bool big = false;  ///< BigTIFF.
  bool big_endian = false;
  bool has_note = false;  ///< note_with_place() has already been written at its position.
};
/// @param at the position in the file for the bytes, an even number.
TiffDirectories tiff_directories_of(const ExifTree& tree, std::uint64_t at, TiffForm form);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// EXIF's directories apart from where they lie: taken out of a TIFF file, put into one, or laid out
// anew with nothing between them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "image/spec.h"

namespace cuimg {

struct ExifField {
  std::uint16_t tag = 0, type = 0;
  std::uint64_t count = 0;
  Blob value;  ///< In the tree's byte order.
};
using ExifFields = std::vector<ExifField>;

struct ExifTree {
  bool big_endian = false;
  ExifFields primary, camera, gps, interop;  ///< Without the pointers from one to another.
};

/// The fields of one directory of a TIFF or BigTIFF file that have one of those tags.
ExifFields read_tiff_fields(std::span<const std::byte> file, std::uint64_t directory,
                            std::span<const std::uint16_t> tags);

/// Of the first directory only what says something of the picture, not of how pixels are stored.
/// @param file a TIFF or BigTIFF file, or an EXIF block. @param directory the first one's place.
ExifTree read_exif_tree(std::span<const std::byte> file, std::uint64_t directory);
/// Of an EXIF block.
ExifTree read_exif_tree(std::span<const std::byte> block);

/// As a block of its own; empty for a tree without fields.
Blob exif_block_of(const ExifTree& tree);

/// Directories to append to a little-endian TIFF file.
struct TiffDirectories {
  Blob bytes;
  std::uint64_t camera = 0, gps = 0;  ///< Places in the file; 0: none.
};
/// @param at where in the file the bytes will lie, an even place. @param big as in BigTIFF.
TiffDirectories tiff_directories_of(const ExifTree& tree, std::uint64_t at, bool big);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The entries of a TIFF file's first directory that other files can hold too; EXIF's first
// directory uses the same tags.
#pragma once

#include <cstdint>
#include <string_view>

namespace cuimg {

/// What an entry says something of. Tags that are not known count as the picture's.
enum class TiffSubject : std::uint8_t {
  picture,
  storage,  ///< How this file has its pixels, or what every format says by means of its own.
  pixels    ///< What holds for these pixels alone, and no output says of its own.
};

TiffSubject subject_of_tiff_tag(std::uint16_t tag);

/// Whether the value is a place in the file, which is another one in any other file.
bool is_tiff_place(std::uint16_t tag);

/// What those tags of TiffSubject::pixels are; empty for others. "GeoTIFF's place on the earth"
std::string_view name_of_tiff_tags(std::uint16_t tag);

}  // namespace cuimg

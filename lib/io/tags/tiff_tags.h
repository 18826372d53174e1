// SPDX-License-Identifier: Apache-2.0
// The entries of a TIFF file's first directory that other files can also hold; EXIF's first
// directory uses the same tags.
#pragma once

#include <cstdint>
#include <string_view>

namespace cuimg {

/// The subject that an entry describes. Unknown tags count as describing the picture.
enum class TiffSubject : std::uint8_t {
  picture,
  storage,  ///< The stored form of pixels, or properties that every format states by its own means.
  pixels    ///< Properties of these pixels only, which outputs do not state.
};

TiffSubject subject_of_tiff_tag(std::uint16_t tag);

/// Whether the value is a position in the file, which differs in every other file.
bool is_tiff_place(std::uint16_t tag);

/// The meaning of those tags of TiffSubject::pixels; empty for others: "GeoTIFF's place on the
/// earth".
std::string_view name_of_tiff_tags(std::uint16_t tag);

}  // namespace cuimg

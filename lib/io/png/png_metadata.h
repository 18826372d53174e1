// SPDX-License-Identifier: Apache-2.0
// Metadata in a PNG's chunks, wherever they are in the file: texts, EXIF, XMP, IPTC. libpng would
// read only those before the pixels.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "image/spec.h"
#include "io/tags/orientation.h"

namespace cuimg {

/// Readers refuse larger chunks.
inline constexpr std::size_t most_in_png_chunk = std::size_t{1} << 25;
/// Of EXIF and XMP, which are written whole: the rest of the chunk is the text's keyword, or a
/// thumbnail.
inline constexpr std::size_t most_in_png_packet = most_in_png_chunk - (std::size_t{1} << 17);
/// The keyword of the text that holds XMP.
inline constexpr std::string_view png_xmp_keyword = "XML:com.adobe.xmp";

/// Texts under their keywords; "exif", "xmp" and "iptc" from chunks of their own or, in
/// hexadecimal, from ImageMagick's texts. Chunks whose checksum is wrong are left out.
/// @param notes gets what is left out and might be missed.
/// @returns how the stored pixels are turned.
Orientation read_png_metadata(std::span<const std::byte> file, Metadata& metadata,
                              std::vector<std::string>& notes);

/// Of an animation, whose first frame decoders of PNG show; of other files 1.
std::uint32_t png_frames(std::span<const std::byte> file);

/// ImageMagick's text for bytes: keyword, a NUL, name, length, hexadecimal digits.
std::string png_raw_profile(const std::string& name, const Blob& bytes);

/// Whether a text holds nothing but printable ASCII and line ends.
bool is_png_ascii(std::string_view text);
/// A keyword has 1 to 79 printable characters and no space at its ends or twice in a row.
bool is_png_keyword(std::string_view key);

/// See Capabilities::keeps.
bool png_keeps(const std::string& key, const MetadataValue& value);

}  // namespace cuimg

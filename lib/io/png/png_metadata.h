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
/// Limit for EXIF and XMP, which are written whole: the rest of the chunk is for the text's
/// keyword, or a thumbnail.
inline constexpr std::size_t most_in_png_packet = most_in_png_chunk - (std::size_t{1} << 17);
/// Limit for bytes that are written as hexadecimal digits.
inline constexpr std::size_t most_in_png_digits = most_in_png_chunk / 4;
/// The keyword of the text for XMP.
inline constexpr std::string_view png_xmp_keyword = "XML:com.adobe.xmp";

/// Texts under their keywords; "exif", "xmp" and "iptc" from their own chunks or, in hexadecimal,
/// from ImageMagick's texts. Chunks with a wrong checksum are left out.
/// @param notes gets notes on omissions that may matter.
/// @returns the orientation of the stored pixels.
Orientation read_png_metadata(std::span<const std::byte> file, Metadata& metadata,
                              std::vector<std::string>& notes);

/// The number of frames of an animation, of which PNG decoders show the first; 1 for other files.
std::uint32_t png_frames(std::span<const std::byte> file);

/// ImageMagick's form of bytes as text: keyword, a NUL, name, length, hexadecimal digits.
std::string png_raw_profile(const std::string& name, const Blob& bytes);

/// Whether a text contains only printable ASCII and line ends.
bool is_png_ascii(std::string_view text);
/// A keyword has 1 to 79 printable characters, with no space at its ends and no two in a row.
bool is_png_keyword(std::string_view key);

/// See Capabilities::keeps.
bool png_keeps(const std::string& key, const MetadataValue& value);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// EXIF in an image's metadata: the whole block under the key "exif", and texts that other formats
// keep too under separate keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "image/spec.h"
#include "io/tags/orientation.h"

namespace cuimg {

/// How EXIF's segment of a JPEG file begins.
inline constexpr char jpeg_exif_name[] = {'E', 'x', 'i', 'f', 0, 0};
/// The key of a block in Spec::metadata.
inline constexpr const char* exif_key = "exif";

struct Exif {
  /// Tag 0x0112 of the first directory; nothing for a value other than 1 to 8.
  std::optional<Orientation> orientation;
  Metadata texts;  ///< Of the first directory, by the keys of text_tags().
};

/// @param block an EXIF block from its TIFF header ("II*\0" or "MM\0*") on.
/// If it is malformed, the result has what can be read.
Exif read_exif(std::span<const std::byte> block);

/// Puts a block that a file holds, its texts and density, into metadata, which keeps what it has.
/// What is no EXIF is left out, and a block that holds nothing but those texts.
/// @returns its orientation.
Orientation take_exif(std::span<const std::byte> block, Metadata& metadata);

/// Whether a block that metadata holds has a thumbnail, to be replaced by one of the output.
bool has_exif_thumbnail(const Metadata& metadata);

/// Of a picture whose rows become columns: a block's resolutions change places, whatever their
/// unit.
void turn_exif_density(Metadata& metadata);

/// Of a picture whose colours have changed: what EXIF and XMP say of them (ColorSpace, and
/// InteroperabilityIndex for sRGB or Adobe RGB) becomes what `color` is. What it does not say is
/// not added.
void set_exif_color(Metadata& metadata, const ColorEncoding& color);

enum class ExifThumbnailRoom : std::uint8_t {
  none,  ///< The format has no place for a thumbnail.
  left   ///< For a block that had one: see ExifThumbnail.
};

/// The picture's block, or a new one, with pixels an inch where it says no resolution.
Blob exif_with_resolution(const Spec& spec, int across, int down);

/// The block to write with an image: the one it carries, with the texts of its metadata, upright,
/// with its size, and without its thumbnail. A picture without a block gets one of its texts if
/// `makes_one`. Maker notes keep their place where the whole fits.
/// @param most the bytes that the format has room for. @param lost gets names of what has none.
/// @returns nothing to write: empty.
Blob exif_to_write(const Spec& spec, std::size_t most, bool makes_one,
                   ExifThumbnailRoom thumbnail = ExifThumbnailRoom::none,
                   std::vector<std::string>* lost = nullptr);

}  // namespace cuimg

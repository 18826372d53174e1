// SPDX-License-Identifier: Apache-2.0
// EXIF in an image's metadata: the whole block under the key "exif", and texts that other formats
// also support under separate keys.
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

/// The beginning of EXIF's segment in a JPEG file.
inline constexpr char jpeg_exif_name[] = {'E', 'x', 'i', 'f', 0, 0};
/// The key of a block in Spec::metadata.
inline constexpr const char* exif_key = "exif";

struct Exif {
  /// Tag 0x0112 of the first directory; nothing for a value other than 1 to 8.
  std::optional<Orientation> orientation;
  Metadata texts;  ///< Texts of the first directory, with the keys of text_tags().
};

/// @param block an EXIF block from its TIFF header ("II*\0" or "MM\0*") on.
/// If it is malformed, the result has the readable entries.
Exif read_exif(std::span<const std::byte> block);

/// Adds a file's block, its texts and its density to metadata, whose present entries take
/// precedence. Data that is not EXIF is left out, and so is a block that contains only those texts.
/// @returns its orientation.
Orientation take_exif(std::span<const std::byte> block, Metadata& metadata);

/// Whether the metadata's block has a thumbnail, which must be replaced by one of the output.
bool has_exif_thumbnail(const Metadata& metadata);

/// For a picture whose rows become columns: swaps the resolutions of a block, whatever their unit.
void turn_exif_density(Metadata& metadata);

/// For a picture whose colours have changed: makes the statements about colour in EXIF and XMP
/// (ColorSpace, and InteroperabilityIndex for sRGB or Adobe RGB) agree with `color`. Missing
/// statements are not added.
void set_exif_color(Metadata& metadata, const ColorEncoding& color);

enum class ExifThumbnailRoom : std::uint8_t {
  none,  ///< The format has no place for a thumbnail.
  left   ///< For a block that had a thumbnail: see ExifThumbnail.
};

/// The picture's block, or a new one, with pixels per inch if it states no resolution.
Blob exif_with_resolution(const Spec& spec, int across, int down);

/// The block to write with an image: its own block, with the texts of its metadata, upright
/// orientation and its size, and without its thumbnail. If `makes_one`, a picture without a block
/// gets one made of its texts. Maker notes keep their position if everything fits.
/// @param most the format's limit in bytes. @param lost gets the names of entries that do not fit.
/// @returns an empty blob if there is nothing to write.
Blob exif_to_write(const Spec& spec, std::size_t most, bool makes_one,
                   ExifThumbnailRoom thumbnail = ExifThumbnailRoom::none,
                   std::vector<std::string>* lost = nullptr);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// XMP packets, which are passed on unchanged, except for entries about the stored pixels.
#pragma once

#include <string>
#include <string_view>

#include "image/spec.h"

namespace cuimg {

/// The keys in Spec::metadata of a packet and of the part that JPEG splits off.
inline constexpr const char* xmp_key = "xmp";
inline constexpr const char* xmp_extension_key = "xmp extension";
/// The most bytes that a segment of JPEG has for a packet.
inline constexpr std::size_t most_xmp_in_jpeg = 65502;

/// Whether a format has the packet and the part that JPEG splits off apart, or one packet of both.
enum class XmpForm { split, whole };

/// The packet to write with an image: the sizes are the image's. A thumbnail's bytes are left out,
/// and what says that files lie behind the picture's.
/// @param most the bytes that the format has room for. @returns nothing to write: empty.
Blob xmp_to_write(const Spec& spec, std::size_t most, XmpForm form);

/// Makes tiff:Orientation that number, where a packet has it. A reader that turns a picture
/// upright, as EXIF or TIFF says, sets 1. What only XMP says of it turns nothing, as in most
/// viewers, and stays.
void set_xmp_orientation(Metadata& metadata, int orientation);
/// Sets exif:ColorSpace, if the packet has one, as EXIF counts it: 1 is sRGB, 65535 another.
void set_xmp_color(Metadata& metadata, int color_space);

/// What a packet says to lie behind the picture in its file, "the gain map": phones put what makes
/// a picture one of high dynamic range there, and films. Empty: nothing.
std::string appended_files(std::string_view packet);

/// The 32 digits by which a packet names its extension; empty: it has none.
std::string xmp_extension_name(std::string_view packet);

/// The value of a property, given as an attribute or as an element: `tiff:Orientation="6"`,
/// `<tiff:Orientation>6</tiff:Orientation>`.
struct XmpPlace {
  std::size_t at = std::string_view::npos, length = 0;  ///< npos: there is none.
};
/// @param from where to begin looking.
XmpPlace find_xmp_value(std::string_view packet, std::string_view property, std::size_t from);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// XMP packets, which are passed on unchanged, except for entries about the stored pixels.
#pragma once

#include <string>
#include <string_view>

#include "image/spec.h"

namespace cuimg {

/// The keys in Spec::metadata of a packet and of the extension that JPEG splits off.
inline constexpr const char* xmp_key = "xmp";
inline constexpr const char* xmp_extension_key = "xmp extension";
/// The largest packet in bytes that fits into a segment of JPEG.
inline constexpr std::size_t most_xmp_in_jpeg = 65502;

/// Whether a format stores the packet and the extension that JPEG splits off separately, or as one
/// packet.
enum class XmpForm { split, whole };

/// The packet to write with an image: it states the image's sizes. A thumbnail's bytes, and
/// statements that files follow the picture, are left out.
/// @param most the format's limit in bytes. @returns an empty blob if there is nothing to write.
Blob xmp_to_write(const Spec& spec, std::size_t most, XmpForm form);

/// Sets tiff:Orientation to that number, if a packet has it. A reader that turns a picture upright
/// according to EXIF or TIFF sets 1. An orientation that only XMP states turns nothing, as in most
/// viewers, and is kept.
void set_xmp_orientation(Metadata& metadata, int orientation);
/// Sets exif:ColorSpace, if the packet has it, to EXIF's number: 1 is sRGB, 65535 any other space.
void set_xmp_color(Metadata& metadata, int color_space);

/// The data that follow the picture in its file according to a packet, such as "the gain map":
/// phones put the data for high dynamic range there, and videos. Empty: none.
std::string appended_files(std::string_view packet);

/// The 32 digits by which a packet names its extension; empty if it has none.
std::string xmp_extension_name(std::string_view packet);

/// The value of a property, given as an attribute or as an element: `tiff:Orientation="6"`,
/// `<tiff:Orientation>6</tiff:Orientation>`.
struct XmpPlace {
  std::size_t at = std::string_view::npos, length = 0;  ///< npos: not found.
};
/// @param from the position at which the search begins.
XmpPlace find_xmp_value(std::string_view packet, std::string_view property, std::size_t from);

}  // namespace cuimg

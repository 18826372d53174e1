// SPDX-License-Identifier: Apache-2.0
// Texts about a picture that TIFF and EXIF keep under the same numbers, and their names here: those
// of OpenEXR's standard attributes, else PNG's keywords.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "image/spec.h"

namespace cuimg {

struct TextTag {
  std::uint16_t tag;  ///< TIFF 6.0, section 8.
  const char* key;    ///< In Spec::metadata.
  const char* other;  ///< What some files call it, for those without `key`.
};

/// In ascending order of tags.
std::span<const TextTag> text_tags();

/// What a file is to hold under that tag; nothing where the metadata has no such text, or a date
/// that is not TIFF's "YYYY:MM:DD hh:mm:ss".
std::optional<std::string> text_of(const Metadata& metadata, const TextTag& tag);

/// Whether it is a date as EXIF has them, "YYYY:MM:DD hh:mm:ss".
bool is_exif_date(std::string_view text);
inline constexpr const char* exif_date_form = "use YYYY:MM:DD hh:mm:ss, as 2024:05:06 07:08:09";

/// Whether a file that has those tags can hold that entry of metadata.
bool is_text_tag(const std::string& key, const MetadataValue& value);

/// The schema or program whose readers rely on this description for the sizes, types or number of a
/// file's pictures: "OME-XML", "tifffile", "ImageJ"; empty: it is another text.
std::string_view describer_of_pictures(std::string_view description);
/// Whether it is tifffile's and says nothing else: {"shape": [480, 640]}.
bool describes_shape_alone(std::string_view description);
/// How many pictures ImageJ's description says there are; nothing for another one.
std::optional<int> imagej_pictures(std::string_view description);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Texts about a picture that TIFF and EXIF store under the same numbers, and their names here:
// those of OpenEXR's standard attributes, otherwise PNG's keywords.
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
  const char* key;    ///< The key in Spec::metadata.
  const char* other;  ///< Another name in some files, used if there is no `key`.
};

/// In ascending order of tags.
std::span<const TextTag> text_tags();

/// The text for a file under that tag; nothing if the metadata has no such text, or a date that
/// does not have TIFF's form "YYYY:MM:DD hh:mm:ss".
std::optional<std::string> text_of(const Metadata& metadata, const TextTag& tag);

/// Whether it is a date in EXIF's form, "YYYY:MM:DD hh:mm:ss".
bool is_exif_date(std::string_view text);
inline constexpr const char* exif_date_form = "use YYYY:MM:DD hh:mm:ss, as 2024:05:06 07:08:09";

/// Whether a file with those tags can store that entry of metadata.
bool is_text_tag(const std::string& key, const MetadataValue& value);

/// The schema or program whose readers rely on this description for the sizes, types or number of a
/// file's pictures: "OME-XML", "tifffile", "ImageJ"; empty for other texts.
std::string_view describer_of_pictures(std::string_view description);
/// Whether it is tifffile's description without further content: {"shape": [480, 640]}.
bool describes_shape_alone(std::string_view description);
/// The number of pictures according to ImageJ's description; nothing for other descriptions.
std::optional<int> imagej_pictures(std::string_view description);

}  // namespace cuimg

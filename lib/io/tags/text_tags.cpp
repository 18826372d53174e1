// SPDX-License-Identifier: Apache-2.0
// One table for the texts that TIFF and JPEG read and write.
#include "io/tags/text_tags.h"

#include <algorithm>
#include <charconv>

#include "base/utf8.h"

namespace cuimg {
namespace {

constexpr std::uint16_t date_time = 0x0132;

constexpr TextTag table[] = {{0x010e, "comments", "Description"}, {0x010f, "cameraMake", "Make"},
                             {0x0110, "cameraModel", "Model"},    {0x0131, "Software", "software"},
                             {date_time, "capDate", "DateTime"},  {0x013b, "Author", "Artist"},
                             {0x8298, "owner", "Copyright"}};

}  // namespace

std::span<const TextTag> text_tags() { return table; }

std::optional<std::string> text_of(const Metadata& metadata, const TextTag& tag) {
  for (const char* key : {tag.key, tag.other}) {
    const auto* text = find_entry<std::string>(metadata, key);
    if (text == nullptr || text->empty() || text->find('\0') != std::string::npos) continue;
    constexpr std::size_t date_length = 19;
    if (tag.tag == date_time && text->size() != date_length) continue;
    return *text;
  }
  return std::nullopt;
}

bool is_exif_date(std::string_view text) {
  constexpr std::string_view form = "0000:00:00 00:00:00";
  const auto is_like = [](char c, char wanted) {
    return wanted == '0' ? is_digit(c) : c == wanted;
  };
  return std::ranges::equal(text, form, is_like) && text.substr(5, 2) <= "12" &&
         text.substr(8, 2) <= "31" && text.substr(11, 2) <= "23" && text.substr(14, 2) <= "59" &&
         text.substr(17, 2) <= "60";
}

bool is_text_tag(const std::string& key, const MetadataValue& value) {
  const auto has_key = [&](const TextTag& tag) { return key == tag.key || key == tag.other; };
  for (const TextTag& tag : text_tags())
    if (has_key(tag)) return text_of({{key, value}}, tag).has_value();
  return false;
}

std::string_view describer_of_pictures(std::string_view description) {
  if (description.find("<OME") != std::string_view::npos &&
      description.find("openmicroscopy.org/Schemas/OME") != std::string_view::npos)
    return "OME-XML";
  if (description.starts_with("{\"shape\":")) return "tifffile";
  return imagej_pictures(description) ? "ImageJ" : "";
}

bool describes_shape_alone(std::string_view description) {
  return describer_of_pictures(description) == "tifffile" &&
         description.find_first_not_of(" 0123456789,[", std::string_view("{\"shape\":").size()) ==
             description.size() - std::string_view("]}").size() &&
         description.ends_with("]}");
}

std::optional<int> imagej_pictures(std::string_view description) {
  constexpr std::string_view key = "\nimages=";
  const std::size_t at = description.find(key);
  if (!description.starts_with("ImageJ=") || at == std::string_view::npos) return std::nullopt;
  int pictures = 0;
  std::from_chars(description.data() + at + key.size(), description.data() + description.size(),
                  pictures);
  return pictures > 0 ? std::optional(pictures) : std::nullopt;
}

}  // namespace cuimg

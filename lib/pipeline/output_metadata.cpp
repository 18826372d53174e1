// SPDX-License-Identifier: Apache-2.0
#include "pipeline/output_metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>

#include "base/contains.h"
#include "base/error.h"
#include "base/message_text.h"
#include "base/number_text.h"
#include "base/split_text.h"
#include "base/utf8.h"
#include "image/color_interop.h"
#include "io/tags/exif.h"
#include "io/tags/exif_listing.h"
#include "io/tags/iptc.h"
#include "io/tags/text_tags.h"
#include "io/tags/xmp.h"
#include "pipeline/private_keys.h"
#include "pipeline/standard_entries.h"

namespace cuimg {
namespace {

// Whether the entry describes the meaning of pixels, or the position and density at which they are
// displayed.
bool describes_pixels(const std::string& key) {
  constexpr std::array<std::string_view, 14> keys = {"xDensity",          "envmap",
                                                     "wrapmodes",         "adoptedNeutral",
                                                     "whiteLuminance",    "worldToCamera",
                                                     "worldToNDC",        "screenWindowCenter",
                                                     "screenWindowWidth", "view",
                                                     "multiView",         "colorInteropID",
                                                     content_light_key,   mastering_display_key};
  return contains(keys, key) || key.starts_with("cryptomatte/");
}

void set_or_erase(Metadata& metadata, const std::string& key, Blob blob) {
  if (blob.empty())
    metadata.erase(key);
  else
    metadata[key] = std::move(blob);
}

// Names of the resolution elsewhere, which would be texts without effect in a PNG or an EXR.
bool names_resolution(std::string_view key) {
  constexpr std::array<std::string_view, 11> names = {
      "dpi",         "DPI",         "ppi",        "PPI",      "density",   "Density",
      "XResolution", "YResolution", "resolution", "yDensity", "Resolution"};
  return contains(names, key);
}

// Advice that names the key by which the entry that the user means can be set here.
std::string advice_on_key(const std::string& key) {
  constexpr std::pair<std::string_view, std::string_view> known[] = {
      {"ImageDescription", "set Description"},
      {"XMP-dc:Description", "set Description"},
      {"Title", "set Description, or iptc:ObjectName for a title"},
      {"XMP-dc:Title", "set Description, or iptc:ObjectName for a title"},
      {"XMP-dc:Creator", "set Author"},
      {"XMP-dc:Rights", "set Copyright"},
      {"XMP-dc:Subject", "set iptc:Keywords"},
      {"Keywords", "set iptc:Keywords"}};
  for (const auto& [given, instead] : known)
    if (key == given) return std::string(instead);
  if (key.starts_with("XMP") || key.starts_with("xmp"))
    return "XMP is kept and not edited; use an entry of EXIF or IPTC";
  return "see what cuimg info prints of such a file, or write an EXR";
}

class Change {
 public:
  /// @param adds whether an entry that may be repeated gets one more value instead of being
  /// replaced.
  Change(const std::pair<std::string, std::string>& entry, const Codec& codec, bool adds = false)
      : key_(entry.first), text_(entry.second), codec_(codec), adds_(adds) {}

  void apply(Spec& spec) const {
    // As most formats require; others that store any bytes have readers that expect it.
    if (!is_utf8(text_)) fail("the text is not UTF-8", "convert it with iconv");
    if (key_ == "pixelAspectRatio" && codec_.capabilities.pixel_aspect)
      return apply_to_aspect(spec);
    apply(spec.metadata);
  }

 private:
  static constexpr std::string_view exif_prefix = "exif:", iptc_prefix = "iptc:";

  void apply(Metadata& metadata) const {
    for (const TextTag& tag : text_tags())
      if (key_ == tag.other && !(metadata.contains(tag.other) && !metadata.contains(tag.key))) {
        // The entry is stored under one name, by which formats know it.
        metadata.erase(tag.other);
        return Change({tag.key, text_}, codec_).apply(metadata);
      }
    if (key_.starts_with(exif_prefix)) return apply_to_exif(metadata);
    if (key_.starts_with(iptc_prefix)) return apply_to_iptc(metadata);
    const auto old = metadata.find(key_);
    if (old != metadata.end() && std::holds_alternative<Blob>(old->second) && !text_.empty())
      fail("the entry is no text or number", "an empty value removes it");
    if (const std::string other = sets_instead(key_); keeps_numbers() && !other.empty())
      fail("it is not an entry but a property of the file", other);
    if (text_.empty()) {
      metadata.erase(key_);
      return;
    }
    if (old == metadata.end() && names_resolution(key_))
      fail("the resolution is xDensity, in pixels an inch",
           "use --set xDensity=300, and pixelAspectRatio where it is another one down");
    MetadataValue value = value_like(old == metadata.end() ? nullptr : &old->second);
    if (!keeps(key_, value)) {
      if (const auto range = codec_.capabilities.densities; range && key_ == "xDensity")
        fail(std::string(codec_.description) + " cannot hold that resolution",
             fmt::format("use {} to {} pixels an inch", range->least, range->most));
      if (is_date() && !is_exif_date(text_)) fail("it is not a date", exif_date_form);
      fail(std::string(codec_.description) + " cannot hold that entry", advice_on_key(key_));
    }
    metadata[key_] = std::move(value);
  }

  [[noreturn]] void fail(const std::string& problem, const std::string& advice = "") const {
    throw Error("--set", "'" + key_ + "=" + text_ + "': " + problem, advice);
  }
  bool is_date() const { return key_ == "capDate" || key_ == "DateTime"; }
  bool keeps(const std::string& key, const MetadataValue& value) const {
    return codec_.capabilities.keeps != nullptr && codec_.capabilities.keeps(key, value);
  }
  // Under any name, as in an EXR.
  bool keeps_numbers() const { return keeps("a number", 1.0); }
  void expect_block(const char* key) const {
    if (!keeps(key, Blob())) fail(std::string(codec_.description) + " holds no such entries");
  }

  // The shape of a pixel, which is not an entry of metadata: an attribute of EXR, and two
  // resolutions elsewhere.
  void apply_to_aspect(Spec& spec) const {
    const auto aspect = number_of<float>(text_.empty() ? "1" : text_);
    // OpenEXR's limits.
    if (!aspect || !(*aspect >= 1e-6f && *aspect <= 1e6f)) fail("it is a number from 1e-6 to 1e6");
    spec.pixel_aspect = *aspect;
  }

  // EXIF's texts that have separate keys are set under those.
  void apply_to_exif(Metadata& metadata) const {
    const std::string name = key_.substr(exif_prefix.size());
    constexpr std::array<std::string_view, 7> names = {
        "ImageDescription", "Make", "Model", "Software", "DateTime", "Artist", "Copyright"};
    if (name == "DateTime" && !text_.empty() && !is_exif_date(text_)) fail(exif_date_form);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (name == names[i]) return Change({text_tags()[i].key, text_}, codec_).apply(metadata);
    if (!text_.empty()) expect_block(exif_key);
    const Blob* present = find_entry<Blob>(metadata, exif_key);
    ExifBlock block(present != nullptr ? *present : Blob());
    if (const std::string problem = set_exif(block, name, text_); !problem.empty()) fail(problem);
    set_or_erase(metadata, exif_key, block.is_empty() ? Blob() : block.bytes());
  }

  void apply_to_iptc(Metadata& metadata) const {
    const std::uint8_t number = iptc_number(key_.substr(iptc_prefix.size()));
    if (number == 0) fail("IPTC has no entry of that name", "use a name such as iptc:Headline");
    if (!text_.empty()) expect_block(iptc_key);
    const Blob* present = find_entry<Blob>(metadata, iptc_key);
    std::vector<std::string> texts;
    if (adds_ && iptc_repeats(number) && !text_.empty() && present != nullptr)
      for (const IptcField& field : read_iptc(*present))
        if (field.record == 2 && field.number == number) texts.push_back(field.value);
    const std::vector<std::string> given = listed_texts();
    if (given.size() > 1 && !iptc_repeats(number)) fail("IPTC allows only one entry of that name");
    texts.insert(texts.end(), given.begin(), given.end());
    set_or_erase(metadata, iptc_key,
                 with_iptc(present != nullptr ? *present : Blob(), number, texts));
  }

  // The texts in ["x","y"], the form in which info prints several, or the text itself.
  std::vector<std::string> listed_texts() const {
    if (!text_.starts_with("[\"") || !text_.ends_with("\"]")) return {text_};
    const auto list = nlohmann::json::parse(text_, nullptr, false);
    const bool are_texts = list.is_array() && std::ranges::all_of(list, [](const auto& entry) {
                             return entry.is_string();
                           });
    return are_texts ? list.get<std::vector<std::string>>() : std::vector{text_};
  }

  MetadataValue value_like(const MetadataValue* old) const {
    if (const auto standard = standard_value(key_, text_); standard && keeps_numbers()) {
      if (!standard->value) fail(standard->problem);
      return *standard->value;
    }
    const auto integer = number_of<std::int64_t>(text_);
    const auto number = number_of<double>(text_);
    if (key_ == "xDensity") {
      if (!number || !(*number > 0) || !std::isfinite(*number))
        fail("the entry is a number above 0");
      return *number;
    }
    if (old == nullptr || std::holds_alternative<Blob>(*old)) {
      if (integer && keeps(key_, *integer) && !keeps_texts_alone()) return *integer;
      if (number && keeps(key_, *number) && !keeps_texts_alone()) return *number;
      return text_;
    }
    if (std::holds_alternative<std::int64_t>(*old) && integer) return *integer;
    if (std::holds_alternative<std::int64_t>(*old) || std::holds_alternative<double>(*old)) {
      if (!number) fail("the entry is a number");
      return *number;
    }
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(old)) return list_like(*list);
    if (const auto* list = std::get_if<std::vector<double>>(old)) return list_like(*list);
    if (std::holds_alternative<std::vector<std::string>>(*old)) {
      const std::vector<std::string_view> parts = split_at(text_, ",");
      return std::vector<std::string>(parts.begin(), parts.end());
    }
    return text_;
  }
  // A title made of digits is a text; an EXR's "frame" is not.
  bool keeps_texts_alone() const {
    return is_text_tag(key_, "text") || is_text_tag(key_, text_) || !keeps(key_, std::int64_t{0});
  }
  template <class T>
  MetadataValue list_like(const std::vector<T>& old) const {
    std::vector<T> values;
    for (const std::string_view part : split_at(text_, ",")) {
      const auto value = number_of<T>(part);
      if (!value) fail("the entry is a list of numbers", "separate them by commas");
      values.push_back(*value);
    }
    if (values.size() != old.size())
      fail("the entry has " + std::to_string(old.size()) + " numbers");
    return values;
  }

  std::string key_, text_;
  const Codec& codec_;
  const bool adds_ = false;
};

constexpr float tolerance = 1e-4f;  // for chromaticities, which files round

// Whether it is an ACES container: half values of scene light in AP0, uncompressed, in scanlines.
bool is_aces_container(const Spec& spec, std::string_view compression) {
  const ColorEncoding& color = spec.color;
  const auto is_half = [&](const LayerSpec& layer) {
    for (int c = 0; c < layer.channel_count(); ++c)
      if (spec.storage.type_of(layer, c) != PixelType::half) return false;
    return true;
  };
  return compression == "none" && !spec.mip && !spec.storage.is_tiled() &&
         color.curve == Curve::linear && color.primaries &&
         near(*color.primaries, primaries::aces_ap0, tolerance) &&
         std::ranges::all_of(spec.layers, is_half);
}

bool same_white(const ColorEncoding& a, const ColorEncoding& b) {
  const Chromaticities first = a.primaries.value_or(primaries::rec709);
  Chromaticities second = first;
  second.wx = b.primaries.value_or(primaries::rec709).wx;
  second.wy = b.primaries.value_or(primaries::rec709).wy;
  return near(first, second, tolerance);
}

}  // namespace

Metadata kept_metadata(const Metadata& metadata, MetadataPolicy policy,
                       std::vector<std::string>& warnings) {
  Metadata kept = metadata;
  if (policy == MetadataPolicy::strip)
    std::erase_if(kept, [](const auto& entry) { return !describes_pixels(entry.first); });
  if (policy != MetadataPolicy::private_parts) return kept;
  if (const Blob* exif = find_entry<Blob>(kept, exif_key))
    set_or_erase(kept, exif_key, public_exif(ExifBlock(*exif)));
  if (const Blob* iptc = find_entry<Blob>(kept, iptc_key))
    set_or_erase(kept, iptc_key, public_iptc(*iptc));
  if (kept.erase(xmp_key) + kept.erase(xmp_extension_key) > 0)
    warnings.emplace_back("--metadata private leaves out XMP, which may hold names and places");
  std::erase_if(kept, [](const auto& entry) {
    const auto& [key, value] = entry;
    const bool is_block = key == exif_key || key == iptc_key;
    const bool is_other_blob = std::holds_alternative<Blob>(value) && !is_block;
    const bool is_text = std::holds_alternative<std::string>(value) ||
                         std::holds_alternative<std::vector<std::string>>(value);
    return !describes_pixels(key) &&
           (is_private_key(key) || is_other_blob || (is_text && !is_public_text(key)));
  });
  return kept;
}

void leave_out_stale_description(Metadata& metadata, bool is_of_one_form, int read, int written,
                                 std::vector<std::string>& warnings) {
  const TextTag& tag = text_tags().front();
  const std::optional<std::string> text = text_of(metadata, tag);
  const std::string describer(text ? describer_of_pictures(*text) : "");
  if (describer.empty()) return;
  if (is_of_one_form && written == imagej_pictures(*text).value_or(read)) return;
  metadata.erase(tag.key);
  metadata.erase(tag.other);
  if (!describes_shape_alone(*text))
    warnings.push_back("the description by " + describer +
                       " is left out: the size, type or number of the pictures has changed");
}

void leave_out_stale_color(Spec& written, const ColorEncoding& read, bool changes,
                           std::string_view compression, std::vector<std::string>& notes) {
  const auto leave_out = [&](const char* key, const std::string& why) {
    if (written.metadata.erase(key) > 0) notes.push_back(std::string(key) + " is left out: " + why);
  };
  if (changes) leave_out(interop_id_key, "the primaries or the curve have changed");
  if (!same_white(read, written.color)) leave_out("adoptedNeutral", "the white point has changed");
  if (!is_aces_container(written, compression))
    leave_out("acesImageContainerFlag",
              "an ACES container is half, uncompressed, in scanlines and has AP0's primaries");
}

void leave_out_stale_light(Metadata& metadata, bool keeps_colors, bool keeps_pixels,
                           std::vector<std::string>& warnings) {
  std::string left_out;
  if (!keeps_colors && metadata.erase(mastering_display_key) > 0)
    add_item(left_out, mastering_display_key);
  if (!keeps_pixels && metadata.erase(content_light_key) > 0) add_item(left_out, content_light_key);
  if (!left_out.empty())
    warnings.push_back(left_out + ": left out, since " +
                       (keeps_colors ? "pixels have been added or cut off"
                                     : "the light for which the picture was graded has changed"));
}

void change_metadata(Spec& spec, const MetadataChanges& changes, const Codec& codec) {
  std::set<std::string> seen;
  for (const auto& entry : changes.entries)
    Change(entry, codec, !seen.insert(entry.first).second).apply(spec);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// EXR and PNG store entries under any name. OpenImageIO spells those of EXIF, IPTC and XMP
// "Exif:BodySerialNumber", "IPTC:City", "Iptc4xmpExt:CountryName"; other programs write
// "camera_owner".
#include "pipeline/private_keys.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/contains.h"
#include "base/split_text.h"
#include "base/utf8.h"
#include "io/tags/exif_listing.h"

namespace cuimg {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

// "ProvinceState" and "province-state" both have two words.
std::vector<std::string> words_of(std::string_view key) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < key.size(); ++i) {
    const char c = key[i];
    const bool begins = is_upper(c) && i > 0 && is_lower(key[i - 1]);
    if (begins || !is_letter(c)) words.emplace_back();
    if (is_letter(c)) words.back() += lower(c);
  }
  std::erase(words, std::string());
  return words;
}

// Anywhere in a name.
constexpr std::string_view parts[] = {
    "gps",         "latitude",     "longitude",   "altitude",      "serial",      "owner",
    "artist",      "author",       "creator",     "copyright",     "byline",      "by-line",
    "credit",      "uuid",         "uniqueid",    "hostname",      "username",    "hostcomputer",
    "sublocation", "sub-location", "worldregion", "personin",      "displayname", "photographer",
    "documentid",  "instanceid",   "makernote",   "captionwriter", "licensor",    "telephone"};

// As whole words, since "city" is in "opacity" and "velocity", and "state" in "statement".
constexpr std::string_view whole_words[] = {
    "city",        "country",      "state",        "province", "location",  "place",
    "address",     "adr",          "person",       "persons",  "people",    "face",
    "faces",       "contact",      "email",        "phone",    "publisher", "rights",
    "contributor", "contributors", "provider",     "supplier", "writer",    "editor",
    "operator",    "organisation", "organization", "guid",     "history"};

// As the last word, or a whole segment of a path; this excludes "UserComment" and "nodeCount".
constexpr std::string_view last_words[] = {"user",        "host",       "computer", "machine",
                                           "workstation", "node",       "director", "geo",
                                           "cmdline",     "commandline"};

bool ends_in_private_word(std::string_view text) {
  const std::vector<std::string> words = words_of(text);
  if (words.empty()) return false;
  const bool is_command_line =
      words.size() > 1 && words[words.size() - 2] == "command" && words.back() == "line";
  return is_command_line || contains(last_words, words.back());
}

bool is_private_segment(std::string_view segment) {
  return contains(last_words, in_lower_case(segment));
}

// XMP's namespaces of people, places, rights and versions: XMP itself is left out completely.
constexpr std::string_view prefixes[] = {"iptc4xmp",
                                         "mwg-rs:",
                                         "mwg-coll:",
                                         "mp:",
                                         "mpri:",
                                         "mpreg:",
                                         "plus:",
                                         "xmpmm:",
                                         "strefs:",
                                         "stref:",
                                         "stevt:",
                                         "starea:",
                                         "lr:",
                                         "photoshop:",
                                         "apple-fi:",
                                         "acdsee",
                                         "digikam:",
                                         "xmprights:",
                                         "creatorcontactinfo"};

// The entries that public_iptc() keeps, under its names and OpenImageIO's.
constexpr std::string_view public_iptc_names[] = {
    "urgency", "rating", "datecreated", "timecreated", "originatingprogram", "programversion"};

// Texts about the camera, the program, dates and colours, under names that are not EXIF's.
constexpr std::string_view public_texts[] = {"cameramake",
                                             "cameramodel",
                                             "camerafirmwareversion",
                                             "capdate",
                                             "colorspace",
                                             "creation time",
                                             "date:create",
                                             "date:modify",
                                             "date:timestamp",
                                             "gmt",
                                             "lensfirmwareversion",
                                             "lensmake",
                                             "lensmodel",
                                             "lookmodtransform",
                                             "oiio:colorspace",
                                             "renderingtransform",
                                             "software"};

}  // namespace

bool is_private_key(std::string_view key) {
  const std::string name = in_lower_case(key);
  constexpr std::string_view iptc = "iptc:";
  if (name.starts_with(iptc)) return !contains(public_iptc_names, name.substr(iptc.size()));
  const auto is_in_name = [&](std::string_view part) {
    return name.find(part) != std::string::npos;
  };
  const std::vector<std::string> words = words_of(key);
  const auto is_word = [](const std::string& word) { return contains(whole_words, word); };
  if (ends_in_private_word(key) || std::ranges::any_of(split_at(key, "/:."), is_private_segment))
    return true;
  return std::ranges::any_of(parts, is_in_name) ||
         std::ranges::any_of(prefixes, [&](std::string_view p) { return name.starts_with(p); }) ||
         std::ranges::any_of(words, is_word);
}

bool is_public_text(std::string_view key) {
  if (is_private_key(key)) return false;
  const std::string name = in_lower_case(key);
  constexpr std::string_view radiance = "hdr:";
  const std::string own = name.starts_with(radiance) ? name.substr(radiance.size()) : name;
  if (contains(public_texts, own) || name.starts_with("iptc:")) return true;
  const std::vector<std::string> words = words_of(key);
  if (!words.empty() && words.back() == "version") return true;
  for (const std::string_view prefix : {"exif:", "tiff:"})
    if (name.starts_with(prefix)) key.remove_prefix(prefix.size());
  return is_public_exif_name(std::string(key));
}

}  // namespace cuimg

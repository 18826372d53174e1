// SPDX-License-Identifier: Apache-2.0
// Names come from libexif. It offers no types, and it is not used for writing, since it moves maker
// notes.
#include "io/tags/exif_listing.h"

#include <fmt/format.h>
#include <libexif/exif-tag.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "base/bytes.h"
#include "base/contains.h"
#include "io/tags/exif_tree.h"
#include "io/tags/text_tags.h"

namespace cuimg {
namespace {

constexpr ExifDirectory all_directories[] = {ExifDirectory::primary, ExifDirectory::camera,
                                             ExifDirectory::gps, ExifDirectory::interop};

const char* known_name(ExifDirectory directory, std::uint16_t tag) {
  constexpr std::uint16_t page_name = 0x011d;  // a tag of TIFF that libexif does not know
  if (directory == ExifDirectory::primary && tag == page_name) return "PageName";
  constexpr ExifIfd ifds[] = {EXIF_IFD_0, EXIF_IFD_EXIF, EXIF_IFD_GPS, EXIF_IFD_INTEROPERABILITY};
  return exif_tag_get_name_in_ifd(static_cast<ExifTag>(tag),
                                  ifds[static_cast<std::size_t>(directory)]);
}

// Offsets, and entries that cuimg itself sets for the pixels.
bool is_layout(std::uint16_t tag) {
  constexpr std::uint16_t tags[] = {0x8769, 0x8825, 0xa005, 0x0112, 0xa002,
                                    0xa003, 0x0100, 0x0101, 0x0201, 0x0202};
  return contains(tags, tag);
}

// Entries that an output's format also stores in its own way.
bool is_resolution(const ExifDirectory directory, std::uint16_t tag) {
  return directory == ExifDirectory::primary && (tag == 0x011a || tag == 0x011b || tag == 0x0128);
}

// Free text, which may contain names and places; whole blocks of other kinds; numbers of one
// camera, lens or picture; people and computers; maker notes, whose contents are unknown.
bool is_private(ExifDirectory directory, std::uint16_t tag) {
  // DocumentName, ImageDescription, PageName, Artist, HostComputer, XMLPacket, Copyright, IPTC/NAA,
  // ImageResources, ImageNumber, SecurityClassification, ImageHistory, MakerNote, UserComment,
  // XPTitle, XPComment, XPAuthor, XPKeywords, XPSubject, RelatedSoundFile, ImageUniqueID,
  // CameraOwnerName, BodySerialNumber, LensSerialNumber.
  constexpr std::uint16_t tags[] = {0x010d, 0x010e, 0x011d, 0x013b, 0x013c, 0x02bc, 0x8298, 0x83bb,
                                    0x8649, 0x9211, 0x9212, 0x9213, 0x927c, 0x9286, 0x9c9b, 0x9c9c,
                                    0x9c9d, 0x9c9e, 0x9c9f, 0xa004, 0xa420, 0xa430, 0xa431, 0xa435};
  // Tags of TIFF, TIFF/EP and programs that libexif knows although they are not EXIF's:
  // NewSubfileType, FillOrder, SubIFDs, TransferRange, JPEGProc, CFARepeatPatternDim, CFAPattern,
  // BatteryLevel, InterColorProfile, TimeZoneOffset, TIFF/EPStandardID, PrintImageMatching,
  // Padding.
  constexpr std::uint16_t not_of_exif[] = {0x00fe, 0x010a, 0x014a, 0x0156, 0x0200, 0x828d, 0x828e,
                                           0x828f, 0x8773, 0x882a, 0x9216, 0xc4a5, 0xea1c};
  return directory == ExifDirectory::gps || contains(tags, tag) || contains(not_of_exif, tag) ||
         known_name(directory, tag) == nullptr;
}

// GPS: how a value's sign is stored.
struct SignedEntry {
  std::uint16_t tag, sign_tag;
  const char* signs;  // for positive and negative; null: the numbers 0 and 1
  double limit;
};
constexpr SignedEntry signed_entries[] = {
    {2, 1, "NS", 90}, {4, 3, "EW", 180}, {6, 5, nullptr, 1e6}};  // latitude, longitude, altitude
const SignedEntry* signed_entry(ExifDirectory directory, std::uint16_t tag) {
  const auto* const found = std::ranges::find(signed_entries, tag, &SignedEntry::tag);
  return directory == ExifDirectory::gps && found != std::end(signed_entries) ? found : nullptr;
}

std::optional<double> signed_value(const ExifBlock& block, const SignedEntry& entry,
                                   const ExifEntry& stored) {
  const std::vector<double> parts = block.numbers(stored);
  if (parts.empty() || parts.size() > 3) return std::nullopt;
  double value = 0;
  for (std::size_t i = parts.size(); i-- > 0;) value = value / 60 + parts[i];
  if (!std::isfinite(value)) return std::nullopt;
  const auto sign = block.find(ExifDirectory::gps, entry.sign_tag);
  const bool negative =
      sign && (entry.signs != nullptr ? ExifBlock::text(*sign).starts_with(entry.signs[1])
                                      : block.numbers(*sign) == std::vector<double>{1});
  return negative ? -value : value;
}

bool is_printable(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
}

// UserComment, GPSProcessingMethod and GPSAreaInformation begin with the name of a character set.
bool has_character_set(ExifDirectory directory, std::uint16_t tag) {
  return (directory == ExifDirectory::camera && tag == 0x9286) ||
         (directory == ExifDirectory::gps && (tag == 0x1b || tag == 0x1c));
}

template <class T>
MetadataValue one_or_all(const std::vector<T>& values) {
  return values.size() == 1 ? MetadataValue(values.front()) : MetadataValue(values);
}

MetadataValue value_of_entry(const ExifBlock& block, ExifDirectory directory,
                             const ExifEntry& entry) {
  if (const SignedEntry* known = signed_entry(directory, entry.tag))
    if (const auto value = signed_value(block, *known, entry)) return *value;
  const auto type = static_cast<TiffType>(entry.type);
  if (type == TiffType::ascii) return ExifBlock::text(entry);
  constexpr std::size_t most_listed = 64;
  const std::string size = fmt::format("{} bytes", entry.value.size());
  constexpr std::uint16_t time_stamp = 7;
  if (type == TiffType::undefined || type == TiffType::byte) {
    std::string text(text_of_bytes(entry.value));
    if (has_character_set(directory, entry.tag) && text.size() >= 8) text.erase(0, 8);
    text.resize(text.find_last_not_of(std::string_view(" \0", 2)) + 1);
    if (is_printable(text)) return text;
    constexpr std::size_t few = 4;
    if (entry.value.size() > few) return size;
    std::vector<std::int64_t> bytes;
    for (const std::byte b : entry.value) bytes.push_back(std::to_integer<std::int64_t>(b));
    return one_or_all(bytes);
  }
  const std::vector<double> numbers = block.numbers(entry);
  if (numbers.empty() || numbers.size() > most_listed) return size;
  if (directory == ExifDirectory::gps && entry.tag == time_stamp && numbers.size() == 3)
    return fmt::format("{:02}:{:02}:{:02}", numbers[0], numbers[1], numbers[2]);
  const bool whole = type != TiffType::rational && type != TiffType::srational;
  return whole ? one_or_all(std::vector<std::int64_t>(numbers.begin(), numbers.end()))
               : one_or_all(numbers);
}

struct Place {
  ExifDirectory directory;
  std::uint16_t tag;
};
std::optional<Place> place_named(const ExifBlock& block, const std::string& given) {
  // EXIF 2.3 renamed libexif's ISOSpeedRatings; exiftool calls it ISO.
  const bool is_iso = given == "PhotographicSensitivity" || given == "ISO";
  const std::string name = is_iso ? "ISOSpeedRatings" : given;
  for (const ExifDirectory directory : all_directories)
    for (const ExifEntry& entry : block.entries(directory))
      if (exif_name(directory, entry.tag) == name) return Place{directory, entry.tag};
  const auto tag = static_cast<std::uint16_t>(exif_tag_from_name(name.c_str()));
  for (const ExifDirectory directory :
       {ExifDirectory::camera, ExifDirectory::gps, ExifDirectory::primary})
    if (const char* known = known_name(directory, tag); known != nullptr && name == known)
      return Place{directory, tag};
  return std::nullopt;
}

// The type of a tag that the block does not have yet (EXIF 2.32, table 8).
TiffType type_of_new(const Place& place) {
  constexpr std::uint16_t rationals[] = {0x829a, 0x829d, 0x9102, 0x9202, 0x9205, 0x9206,
                                         0x920a, 0x920b, 0xa20b, 0xa20e, 0xa20f, 0xa215,
                                         0xa404, 0xa432, 0x9401, 0x9402, 0x9403};
  constexpr std::uint16_t signed_rationals[] = {0x9201, 0x9203, 0x9204};
  constexpr std::uint16_t shorts[] = {
      0x8822, 0x8827, 0x8830, 0x9207, 0x9208, 0x9209, 0x9214, 0xa001, 0xa210, 0xa214, 0xa217,
      0xa401, 0xa402, 0xa403, 0xa405, 0xa406, 0xa407, 0xa408, 0xa409, 0xa40a, 0xa40c, 0x4746};
  constexpr std::uint16_t gps_rationals[] = {7,    0x0b, 0x0d, 0x0f, 0x11,
                                             0x14, 0x16, 0x18, 0x1a, 0x1f};
  if (place.directory == ExifDirectory::gps)
    return contains(gps_rationals, place.tag) ? TiffType::rational : TiffType::ascii;
  if (contains(rationals, place.tag)) return TiffType::rational;
  if (contains(signed_rationals, place.tag)) return TiffType::srational;
  return contains(shorts, place.tag) ? TiffType::u16 : TiffType::ascii;
}

// "2.8", "1/250"; numbers are separated by commas, blanks or colons.
std::optional<std::vector<double>> numbers_of(const std::string& text) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto read = [&](double& number) {
    const auto [next, problem] = std::from_chars(at, end, number);
    at = next;
    return problem == std::errc() && std::isfinite(number);
  };
  for (;;) {
    double value = 0, divisor = 1;
    if (!read(value)) return std::nullopt;
    if (at != end && *at == '/') {
      ++at;
      if (!read(divisor) || divisor == 0) return std::nullopt;
    }
    numbers.push_back(value / divisor);
    if (at == end) return numbers;
    if (*at != ',' && *at != ' ' && *at != ':') return std::nullopt;
    ++at;
  }
}

// Numerator and denominator: 1/n if the value is one, otherwise a decimal fraction.
bool add_rational(double value, bool is_signed, std::vector<std::uint32_t>& to) {
  const double magnitude = std::abs(value);
  const double most = is_signed ? std::numeric_limits<std::int32_t>::max()
                                : std::numeric_limits<std::uint32_t>::max();
  if ((value < 0 && !is_signed) || magnitude > most) return false;
  double numerator = magnitude, denominator = 1;
  const double inverse = magnitude > 0 && magnitude < 1 ? std::round(1 / magnitude) : 0;
  if (inverse > 0 && inverse <= most && std::abs(1 / inverse - magnitude) < 1e-12) {
    numerator = 1;
    denominator = inverse;
  } else {
    while (numerator != std::round(numerator) && denominator < 1e8 && numerator * 10 <= most) {
      denominator *= 10;
      numerator = magnitude * denominator;
    }
    numerator = std::round(numerator);
  }
  const auto stored = static_cast<std::int64_t>(value < 0 ? -numerator : numerator);
  to.push_back(static_cast<std::uint32_t>(stored));
  to.push_back(static_cast<std::uint32_t>(denominator));
  return true;
}

std::string set_signed(ExifBlock& block, const SignedEntry& entry, double value) {
  if (std::abs(value) > entry.limit) return fmt::format("it lies within -{0} and {0}", entry.limit);
  const double magnitude = std::abs(value);
  std::vector<std::uint32_t> parts;
  if (entry.signs != nullptr) {
    constexpr std::uint32_t decimals = 1000000;
    const auto all = static_cast<std::int64_t>(std::llround(magnitude * 3600 * decimals));
    parts = {static_cast<std::uint32_t>(all / decimals / 3600),
             1,
             static_cast<std::uint32_t>(all / decimals / 60 % 60),
             1,
             static_cast<std::uint32_t>(all % (std::int64_t{60} * decimals)),
             decimals};
    block.set_text(ExifDirectory::gps, entry.sign_tag,
                   std::string(1, entry.signs[value < 0 ? 1 : 0]));
  } else {
    add_rational(magnitude, false, parts);
    block.set_numbers(ExifDirectory::gps, entry.sign_tag, TiffType::byte, {value < 0 ? 1u : 0u});
  }
  block.set_numbers(ExifDirectory::gps, entry.tag, TiffType::rational, parts);
  return "";
}

std::string set_numbers_of(ExifBlock& block, const Place& place, TiffType type,
                           const std::vector<double>& numbers) {
  std::vector<std::uint32_t> values;
  for (const double number : numbers) {
    if (type == TiffType::rational || type == TiffType::srational) {
      if (!add_rational(number, type == TiffType::srational, values)) return "it is out of range";
      continue;
    }
    const double most = type == TiffType::byte  ? 0xff
                        : type == TiffType::u16 ? 0xffff
                                                : std::numeric_limits<std::uint32_t>::max();
    if (number < 0 || number > most || number != std::floor(number))
      return fmt::format("use a whole number from 0 to {:.0f}", most);
    values.push_back(static_cast<std::uint32_t>(number));
  }
  block.set_numbers(place.directory, place.tag, type, values);
  return "";
}

}  // namespace

std::string exif_name(ExifDirectory directory, std::uint16_t tag) {
  const char* name = known_name(directory, tag);
  return name != nullptr ? name : fmt::format("0x{:04x}", tag);
}

bool is_public_exif_name(const std::string& name) {
  constexpr std::uint16_t cfa_of_tiff_ep = 0x828e, cfa_of_exif = 0xa302;  // both are CFAPattern
  auto tag = static_cast<std::uint16_t>(exif_tag_from_name(name.c_str()));
  if (tag == cfa_of_tiff_ep) tag = cfa_of_exif;
  return tag != 0 && std::ranges::any_of(all_directories, [&](ExifDirectory directory) {
           const char* known = known_name(directory, tag);
           return known != nullptr && name == known && !is_private(directory, tag);
         });
}

Metadata exif_listing(const ExifBlock& block) {
  Metadata listing;
  for (const ExifDirectory directory : all_directories)
    for (const ExifEntry& entry : block.entries(directory)) {
      const bool is_pointer = contains(std::array{0x8769, 0x8825, 0xa005}, entry.tag);
      const bool is_text =
          directory == ExifDirectory::primary && contains(text_tags(), entry.tag, &TextTag::tag);
      const bool is_sign =
          directory == ExifDirectory::gps &&
          std::ranges::any_of(signed_entries, [&](const SignedEntry& known) {
            return known.sign_tag == entry.tag && block.find(directory, known.tag).has_value();
          });
      if (is_pointer || is_sign || is_text) continue;
      listing.emplace(exif_name(directory, entry.tag), value_of_entry(block, directory, entry));
    }
  return listing;
}

std::string exif_words(const std::string& name, const MetadataValue& value) {
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr || !std::isfinite(*number)) return "";
  if (name == "ExposureTime")
    return *number > 0 && *number < 0.4 ? fmt::format("1/{:.0f} s", 1 / *number)
                                        : fmt::format("{} s", *number);
  if (name == "FNumber") return fmt::format("f/{}", *number);
  if (name == "FocalLength") return fmt::format("{} mm", *number);
  if (name == "GPSLatitude")
    return fmt::format("{:.6f} {}", std::abs(*number), *number < 0 ? 'S' : 'N');
  if (name == "GPSLongitude")
    return fmt::format("{:.6f} {}", std::abs(*number), *number < 0 ? 'W' : 'E');
  if (name == "GPSAltitude") return fmt::format("{} m", *number);
  return "";
}

std::string set_exif(ExifBlock& block, const std::string& name, const std::string& text) {
  const std::optional<Place> place = place_named(block, name);
  if (!place) return "EXIF has no entry of that name";
  if (is_layout(place->tag) && place->directory != ExifDirectory::gps)
    return "cuimg sets that entry from the pixels";
  if (is_resolution(place->directory, place->tag) && !text.empty())
    return "the entry xDensity sets the resolution, in pixels an inch: use --set xDensity=300";
  const SignedEntry* known = signed_entry(place->directory, place->tag);
  if (text.empty()) {
    block.remove(place->directory, place->tag);
    if (known != nullptr) block.remove(ExifDirectory::gps, known->sign_tag);
    return "";
  }
  const auto numbers = numbers_of(text);
  if (known != nullptr) {
    if (!numbers || numbers->size() != 1) return "use one number, negative in the south and west";
    return set_signed(block, *known, numbers->front());
  }
  const auto present = block.find(place->directory, place->tag);
  const auto type = present ? static_cast<TiffType>(present->type) : type_of_new(*place);
  if (has_character_set(place->directory, place->tag)) {
    block.set(place->directory, place->tag, TiffType::undefined,
              bytes_of_text(std::string("ASCII\0\0\0", 8) + text));
    return "";
  }
  if (type == TiffType::ascii) {
    // DateTimeOriginal and similar entries
    constexpr std::uint16_t taken = 0x9003, digitized = 0x9004;
    const bool is_date = place->directory == ExifDirectory::camera &&
                         (place->tag == taken || place->tag == digitized);
    if (is_date && !is_exif_date(text)) return exif_date_form;
    block.set_text(place->directory, place->tag, text);
    return "";
  }
  const bool is_number = type == TiffType::byte || type == TiffType::u16 || type == TiffType::u32 ||
                         type == TiffType::rational || type == TiffType::srational;
  if (!is_number) return "its values are not texts or numbers";
  if (!numbers) return "use numbers";
  return set_numbers_of(block, *place, type, *numbers);
}

Blob public_exif(const ExifBlock& block) {
  ExifTree tree = read_exif_tree(block.bytes());
  const auto filter = [](ExifDirectory directory, ExifFields& fields) {
    std::erase_if(fields, [&](const ExifField& field) { return is_private(directory, field.tag); });
  };
  filter(ExifDirectory::primary, tree.primary);
  filter(ExifDirectory::camera, tree.camera);
  filter(ExifDirectory::interop, tree.interop);
  tree.gps.clear();
  Blob made = exif_block_of(tree);
  if (made.empty() || !block.has_thumbnail()) return made;
  // The existence of a thumbnail is no secret; the output's shows the output's pixels.
  ExifBlock with_room(std::move(made));
  with_room.make_thumbnail_room(1);
  return with_room.bytes();
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// A walk through EXIF's directories, every offset checked.
#include "io/tags/exif.h"

#include <algorithm>
#include <cstdint>
#include <functional>

#include "base/latin1.h"
#include "io/tags/text_tags.h"

namespace cuimg {
namespace {

constexpr std::uint32_t type_ascii = 2, type_short = 3;
constexpr std::size_t header_bytes = 8, entry_bytes = 12;

struct Entry {
  std::uint32_t tag, type, count;
  std::size_t at;  // of the value or its offset
};

// Numbers of either byte order; reads past the end are 0, which no valid directory needs.
struct TiffNumbers {
  std::span<const std::byte> bytes;
  bool big_endian;

  std::uint32_t number(std::size_t at, std::size_t count) const {
    if (at > bytes.size() || count > bytes.size() - at) return 0;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t k = big_endian ? i : count - 1 - i;
      value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + k]);
    }
    return value;
  }

  void for_each_entry(std::size_t directory, const std::function<void(const Entry&)>& visit) const {
    const std::uint32_t entries = number(directory, 2);
    for (std::uint32_t i = 0; i < entries; ++i) {
      const std::size_t at = directory + 2 + entry_bytes * i;
      if (at + entry_bytes > bytes.size()) return;
      visit({number(at, 2), number(at + 2, 2), number(at + 4, 4), at + 8});
    }
  }

  // Up to the first NUL, without blanks at the end, which cameras fill up with.
  std::string text(const Entry& entry) const {
    const std::size_t at = entry.count <= 4 ? entry.at : number(entry.at, 4);
    if (at > bytes.size() || entry.count > bytes.size() - at) return "";
    std::string text(reinterpret_cast<const char*>(bytes.data() + at), entry.count);
    text.resize(std::min(text.find('\0'), text.size()));
    text.resize(text.find_last_not_of(" \n\r\t") + 1);
    return text;
  }
};

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    const int rest = lead < 0x80                   ? 0
                     : lead >= 0xc2 && lead < 0xe0 ? 1
                     : lead >= 0xe0 && lead < 0xf0 ? 2
                     : lead >= 0xf0 && lead < 0xf5 ? 3
                                                   : -1;
    if (rest < 0) return false;
    for (int k = 0; k < rest; ++k, ++i)
      if (i >= text.size() || (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return false;
  }
  return true;
}

// EXIF says ASCII; what is not and not UTF-8 either is taken for Latin-1.
std::string as_utf8(const std::string& text) { return is_utf8(text) ? text : utf8_of_latin1(text); }

}  // namespace

Exif read_exif(std::span<const std::byte> tiff_block) {
  Exif exif;
  if (tiff_block.size() < header_bytes) return exif;
  const auto mark = std::to_integer<char>(tiff_block[0]);
  if (mark != std::to_integer<char>(tiff_block[1]) || (mark != 'I' && mark != 'M')) return exif;
  const TiffNumbers tiff{tiff_block, mark == 'M'};
  if (tiff.number(2, 2) != 42) return exif;
  bool settings = false, place = false, maker_note = false;
  tiff.for_each_entry(tiff.number(4, 4), [&](const Entry& entry) {
    constexpr std::uint32_t orientation = 0x0112, camera = 0x8769, gps = 0x8825;
    if (entry.tag == orientation && entry.type == type_short && entry.count == 1 &&
        !exif.orientation) {
      const std::uint32_t value = tiff.number(entry.at, 2);
      if (value >= 1 && value <= 8) exif.orientation = Orientation{static_cast<int>(value)};
    }
    place = place || entry.tag == gps;
    if (entry.tag == camera && !settings) {
      settings = true;
      tiff.for_each_entry(tiff.number(entry.at, 4), [&](const Entry& inner) {
        maker_note = maker_note || inner.tag == 0x927c;
      });
    }
    for (const TextTag& tag : text_tags())
      if (entry.tag == tag.tag && entry.type == type_ascii)
        if (std::string text = as_utf8(tiff.text(entry)); !text.empty())
          exif.texts[tag.key] = std::move(text);
  });
  const auto add = [&](bool present, const char* what) {
    if (present) exif.other += (exif.other.empty() ? "" : ", ") + std::string(what);
  };
  add(settings, "camera settings");
  add(place, "GPS position");
  add(maker_note, "maker note");
  return exif;
}

std::vector<std::byte> make_exif(const Metadata& metadata) {
  std::vector<std::pair<std::uint16_t, std::string>> texts;
  constexpr std::size_t most = 60000;  // a segment of JPEG holds 65533 bytes
  std::size_t all = 0;
  for (const TextTag& tag : text_tags())
    if (auto text = text_of(metadata, tag); text && all + text->size() < most) {
      all += text->size();
      texts.emplace_back(tag.tag, std::move(*text));
    }
  if (texts.empty()) return {};

  std::vector<std::byte> block;
  const auto put = [&](std::size_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) block.push_back(static_cast<std::byte>(value >> 8 * i & 255));
  };
  for (const char c : {'I', 'I'}) block.push_back(static_cast<std::byte>(c));
  put(42, 2);
  put(header_bytes, 4);
  put(texts.size(), 2);
  std::size_t at = header_bytes + 2 + entry_bytes * texts.size() + 4;
  for (auto& [tag, text] : texts) {
    text += '\0';
    put(tag, 2);
    put(type_ascii, 2);
    put(text.size(), 4);
    if (text.size() <= 4) {
      text.resize(4);
      for (const char c : text) block.push_back(static_cast<std::byte>(c));
      text.clear();
    } else {
      put(at, 4);
      text.resize(text.size() + text.size() % 2);  // values begin at even places
      at += text.size();
    }
  }
  put(0, 4);  // no directory follows
  for (const auto& [tag, text] : texts)
    for (const char c : text) block.push_back(static_cast<std::byte>(c));
  return block;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "io/png/png_metadata.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/bytes.h"
#include "base/utf8.h"
#include "io/density_range.h"
#include "io/png/png_light.h"
#include "io/png/png_reader.h"
#include "io/tags/exif.h"
#include "io/tags/exif_block.h"
#include "io/tags/iptc.h"
#include "io/tags/photoshop.h"
#include "io/tags/xmp.h"
#include "io/tags/xmp_extension.h"

namespace cuimg {
namespace {

constexpr std::string_view raw_profile = "Raw profile type ";

struct PngText {
  std::string keyword, text;
  bool is_utf8 = false;
};

class MetadataReader {
 public:
  MetadataReader(Metadata& metadata, std::vector<std::string>& notes)
      : metadata_(metadata), notes_(notes) {}

  void take(std::string_view name, std::string_view data) {
    if (name == "eXIf") {
      exif_ = bytes_of_text(data);
    } else if (name == "tEXt" || name == "zTXt" || name == "iTXt") {
      if (const auto text = text_of_chunk(name, data))
        take_text(*text);
      else
        note("a text is left out, which is broken or too large");
    } else if (is_png_light(name)) {
      if (const auto light = png_light_value(name, data))
        metadata_.try_emplace(std::string(name), *light);
      else
        note(std::string(name) + " is left out, since it has another size than the standard's");
    } else if (!is_read_elsewhere(name)) {
      note("chunk " + std::string(name) + " is left out" +
           (name == "caBX"
                ? ", Content Credentials (C2PA), which are valid only for the original file"
                : ""));
    }
  }
  void leave_out_large(std::string_view name) {
    if (!is_read_elsewhere(name))
      note("a chunk " + std::string(name) + " is left out, which is larger than " +
           std::to_string(most_in_png_chunk >> 20) + " MB");
  }
  // EXIF comes last: the file's own texts take precedence over its texts.
  Orientation finish() {
    if (!exif_.empty() && ExifBlock(exif_).is_empty())
      note("EXIF is left out, since it is broken or empty");
    const Orientation orientation = exif_.empty() ? Orientation{} : take_exif(exif_, metadata_);
    if (orientation.exif != 1) set_xmp_orientation(metadata_, 1);
    return orientation;
  }

 private:
  // Whether libpng, or the code for animations, reads the chunk.
  static bool is_read_elsewhere(std::string_view name) {
    constexpr std::array<std::string_view, 14> names = {"IHDR", "PLTE", "tRNS", "gAMA", "cHRM",
                                                        "sRGB", "iCCP", "cICP", "pHYs", "acTL",
                                                        "fcTL", "fdAT", "IDAT", "IEND"};
    const bool is_text = std::ranges::all_of(name, is_letter);
    return !is_text || std::ranges::find(names, name) != names.end();
  }

  // At most `left_` bytes in total, so that a small file cannot request much memory.
  std::optional<std::string> inflated(std::string_view data) {
    std::string result;
    z_stream stream = {};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
    if (inflateInit(&stream) != Z_OK) return std::nullopt;
    int state = Z_OK;
    while (state == Z_OK && result.size() <= left_) {
      char piece[16384];
      stream.next_out = reinterpret_cast<Bytef*>(piece);
      stream.avail_out = sizeof piece;
      state = inflate(&stream, Z_NO_FLUSH);
      result.append(piece, sizeof piece - stream.avail_out);
    }
    inflateEnd(&stream);
    if (state != Z_STREAM_END || result.size() > left_) return std::nullopt;
    left_ -= result.size();
    return result;
  }

  std::optional<PngText> text_of_chunk(std::string_view name, std::string_view data) {
    // The part up to the next NUL, which is removed.
    const auto part = [&]() -> std::optional<std::string_view> {
      const std::size_t end = data.find('\0');
      if (end == std::string_view::npos) return std::nullopt;
      const std::string_view found = data.substr(0, end);
      data.remove_prefix(end + 1);
      return found;
    };
    const auto keyword = part();
    if (!keyword || keyword->empty() || keyword->size() > 79) return std::nullopt;
    bool compressed = name == "zTXt";
    if (name == "iTXt") {
      if (data.size() < 2) return std::nullopt;
      compressed = data[0] != '\0';
      data.remove_prefix(2);
      if (!part() || !part()) return std::nullopt;  // the language, and the translated keyword
    } else if (compressed) {
      if (data.empty()) return std::nullopt;
      data.remove_prefix(1);
    }
    PngText text{std::string(*keyword), std::string(data), name == "iTXt"};
    if (compressed) {
      auto whole = inflated(data);
      if (!whole) return std::nullopt;
      text.text = std::move(*whole);
    }
    return text;
  }

  void take_text(const PngText& entry) {
    if (entry.keyword == png_xmp_keyword) {
      if (!entry.text.empty()) metadata_[xmp_key] = bytes_of_text(entry.text);
    } else if (entry.keyword.starts_with(raw_profile)) {
      take_raw_profile(entry.keyword.substr(raw_profile.size()), entry.text);
    } else {
      std::string text = entry.text;
      text.resize(std::min(text.find('\0'), text.size()));
      put_text(utf8_of_latin1(entry.keyword), entry.is_utf8 ? text : utf8_of_latin1(text));
    }
  }

  // The standard allows several texts with the same keyword; metadata holds one.
  void put_text(const std::string& keyword, std::string text) {
    const auto [place, is_new] = metadata_.try_emplace(keyword, text);
    if (is_new || place->second == MetadataValue(text)) return;
    place->second = std::move(text);
    note("of several texts '" + keyword + "' the last is kept");
  }

  // Each note only once, and not thousands for a malicious file.
  void note(std::string text) {
    constexpr std::size_t most = 16;
    if (notes_.size() < most && std::ranges::find(notes_, text) == notes_.end())
      notes_.push_back(std::move(text));
  }

  void take_raw_profile(const std::string& name, const std::string& text) {
    const Blob bytes = bytes_of_hex(text);
    const std::string_view content = text_of_bytes(bytes);
    constexpr std::string_view exif_head(jpeg_exif_name, sizeof jpeg_exif_name);
    constexpr std::string_view xmp_head{"http://ns.adobe.com/xap/1.0/\0", 29};
    if (content.starts_with(exif_head)) {
      if (exif_.empty()) exif_ = bytes_of_text(content.substr(exif_head.size()));
    } else if (content.starts_with(xmp_head)) {
      metadata_.emplace(xmp_key, bytes_of_text(content.substr(xmp_head.size())));
    } else if (name == "exif") {
      if (exif_.empty()) exif_ = bytes;
    } else if (name == "xmp" && !content.empty()) {
      metadata_.emplace(xmp_key, bytes);
    } else if (name == "iptc" || name == "8bim") {
      if (content.starts_with('\x1c'))
        metadata_[iptc_key] = bytes;
      else
        take_photoshop(bytes, metadata_);
    }
  }

  // A line end, the name, the length, and hexadecimal digits in lines.
  static Blob bytes_of_hex(const std::string& text) {
    std::size_t at = text.find_first_not_of("\n");
    for (int line = 0; line < 2 && at != std::string::npos; ++line) {
      at = text.find('\n', at);
      if (at != std::string::npos) ++at;
    }
    Blob bytes;
    int high = -1;
    for (; at < text.size(); ++at) {
      const char c = text[at];
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) continue;
      if (high < 0) {
        high = digit;
      } else {
        bytes.push_back(static_cast<std::byte>(high << 4 | digit));
        high = -1;
      }
    }
    return bytes;
  }

  Metadata& metadata_;
  std::vector<std::string>& notes_;
  Blob exif_;
  std::size_t left_ = 2 * most_in_png_chunk;
};

}  // namespace

Orientation read_png_metadata(std::span<const std::byte> file, Metadata& metadata,
                              std::vector<std::string>& notes) {
  MetadataReader reader(metadata, notes);
  for (std::size_t at = 8; file.size() > at && file.size() - at >= 12;) {
    const std::uint32_t size = png_number(file, at);
    if (size > file.size() - at - 12) break;
    const auto chunk = file.subspan(at + 4, std::size_t{4} + size);
    const std::string_view text = text_of_bytes(chunk);
    const std::string_view name = text.substr(0, 4);
    at += std::size_t{12} + size;
    if (name == "IEND") break;  // the data after it are not chunks, and may be gigabytes of zeros
    if (name == "IDAT") continue;
    if (size > most_in_png_chunk) {
      reader.leave_out_large(name);
      continue;
    }
    const auto* bytes = reinterpret_cast<const Bytef*>(chunk.data());
    if (crc32(0, bytes, static_cast<uInt>(chunk.size())) == png_number(file, at - 4))
      reader.take(name, text.substr(4));
  }
  return reader.finish();
}

std::uint32_t png_frames(std::span<const std::byte> file) {
  for (std::size_t at = 8; file.size() > at && file.size() - at >= 16;) {
    const std::uint32_t size = png_number(file, at);
    const std::string_view name = text_of_bytes(file.subspan(at + 4, 4));
    if (name == "acTL") return png_number(file, at + 8);
    if (name == "IDAT" || size > file.size() - at - 12) break;
    at += std::size_t{12} + size;
  }
  return 1;
}

std::string png_raw_profile(const std::string& name, const Blob& bytes) {
  std::string text = std::string(raw_profile) + name + '\0' + '\n' + name + '\n';
  const std::string length = std::to_string(bytes.size());
  text += std::string(length.size() < 8 ? 8 - length.size() : 0, ' ') + length;
  constexpr std::size_t bytes_a_line = 36;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i % bytes_a_line == 0) text += '\n';
    for (const int shift : {4, 0})
      text += "0123456789abcdef"[std::to_integer<int>(bytes[i]) >> shift & 15];
  }
  return text + '\n';
}

bool is_png_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= 0x20 && c < 0x7f); });
}

bool is_png_keyword(std::string_view key) {
  return !key.empty() && key.size() < 80 && is_png_ascii(key) && key.front() != ' ' &&
         key.back() != ' ' && key.find("  ") == std::string_view::npos &&
         key.find('\n') == std::string_view::npos;
}

bool png_keeps(const std::string& key, const MetadataValue& value) {
  if (const auto* text = std::get_if<std::string>(&value))
    return is_png_keyword(key) && text->find('\0') == std::string::npos;
  if (const auto* blob = std::get_if<Blob>(&value)) {
    // These have their own chunks. Other blobs are written as hexadecimal digits, together in one
    // text.
    if (key == exif_key) return blob->size() <= most_in_png_packet;
    if (key == xmp_key)
      return blob->size() <= most_in_png_packet &&
             (blob->size() < most_in_png_digits || is_utf8(text_of_bytes(*blob)));
    return blob->size() < most_in_png_chunk / 8 &&
           (key == iptc_key || key == photoshop_key ||
            (key == xmp_extension_key && can_join_xmp(*blob)));
  }
  return (key == "xDensity" && densities_a_metre.holds(value)) ||
         !png_light_data(key, value).empty();
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// For XMP's split into a packet and an extension see the XMP Specification, part 3, 1.1.3.
#include "io/jpeg/jpeg_metadata.h"

#include <algorithm>
#include <string_view>

#include "base/bytes.h"
#include "base/message_text.h"
#include "base/utf8.h"
#include "io/density_range.h"
#include "io/jpeg/jpeg_markers.h"
#include "io/tags/iptc.h"
#include "io/tags/photoshop.h"
#include "io/tags/text_tags.h"
#include "io/tags/xmp.h"
#include "io/tags/xmp_extension.h"

namespace cuimg {
namespace {

constexpr std::size_t most_in_a_segment = 65533;
constexpr std::string_view exif_head(jpeg_exif_name, sizeof jpeg_exif_name);
constexpr std::size_t most_exif = most_in_a_segment - exif_head.size();
constexpr std::string_view xmp_head{"http://ns.adobe.com/xap/1.0/\0", 29};
constexpr std::string_view extension_head{"http://ns.adobe.com/xmp/extension/\0", 35};
constexpr std::string_view photoshop_head{"Photoshop 3.0\0", 14};
constexpr std::size_t name_digits = 32;
constexpr std::size_t most_xmp = std::size_t{1} << 25;

// The rest of a segment that begins with these bytes; a null span if it does not.
std::span<const std::byte> after(std::span<const std::byte> body, std::string_view head) {
  return begins_with(body, head) ? body.subspan(head.size()) : std::span<const std::byte>();
}

// Joins the pieces that have the packet's name, each with its position; empty unless all of them
// exist.
Blob joined_extension(const std::vector<std::span<const std::byte>>& pieces,
                      const std::string& name) {
  constexpr std::size_t head = name_digits + 8;
  Blob whole;
  std::size_t filled = 0, bytes = 0;
  for (const auto& piece : pieces) bytes += piece.size();
  for (const auto& piece : pieces) {
    if (name.empty() || piece.size() < head || after(piece, name).data() == nullptr) continue;
    const std::uint64_t size = number_at(piece, name_digits, 4, true);
    const std::uint64_t at = number_at(piece, name_digits + 4, 4, true);
    const auto data = piece.subspan(head);
    if (size > bytes || at > size || data.size() > size - at) return {};
    if (whole.empty()) whole.resize(static_cast<std::size_t>(size));
    if (whole.size() != size) return {};
    std::ranges::copy(data, whole.begin() + static_cast<std::ptrdiff_t>(at));
    filled += data.size();
  }
  if (filled != whole.size()) whole.clear();
  return whole;
}

Blob with_head(std::string_view head, std::span<const std::byte> rest) {
  Blob body = bytes_of_text(head);
  append_bytes(body, rest);
  return body;
}

// Several comments become lines of one.
void add_comment(std::span<const std::byte> body, std::string& comment) {
  std::string text(text_of_bytes(body));
  text.resize(std::min(text.find('\0'), text.size()));
  if (text.empty() || comment.size() + text.size() >= most_in_a_segment) return;
  add_item(comment, as_utf8(text), "\n");
}

// Whole, or split.
bool fits_xmp(const Blob& packet) {
  return packet.size() <= most_xmp_in_jpeg ||
         (packet.size() <= most_xmp &&
          !split_xmp(text_of_bytes(packet), most_xmp_in_jpeg).packet.empty());
}

// Whether the text fits into one segment.
bool is_comment(const std::string& text) {
  return !text.empty() && text.size() <= most_in_a_segment && text.find('\0') == std::string::npos;
}

void add_extension(const Blob& packet, const Blob& extension, std::vector<JpegSegment>& segments) {
  const std::string name = xmp_extension_name(text_of_bytes(packet));
  if (name.empty()) return;
  constexpr std::size_t most = most_in_a_segment - extension_head.size() - name_digits - 8;
  for (std::size_t at = 0; at < extension.size(); at += most) {
    Blob body = with_head(extension_head, bytes_of_text(name));
    append_number(body, extension.size(), 4, true);
    append_number(body, at, 4, true);
    append_bytes(body, std::span(extension).subspan(at, std::min(most, extension.size() - at)));
    segments.push_back({1, std::move(body)});
  }
}

}  // namespace

std::vector<JpegSegmentView> jpeg_segments(std::span<const std::byte> file) {
  std::vector<JpegSegmentView> segments;
  for (std::size_t at = 2; at + 4 <= file.size();) {
    const auto marker = std::to_integer<int>(file[at + 1]);
    if (file[at] != std::byte{0xff} || marker == 0xff) {  // libjpeg skips both too
      ++at;
      continue;
    }
    constexpr int scan = 0xda, end = 0xd9, first_restart = 0xd0, alone = 0x01, app0 = 0xe0;
    if (marker == scan || marker == end) break;
    if (marker == 0 || marker == alone || (marker >= first_restart && marker < end)) {
      at += 2;
      continue;
    }
    const auto length =
        std::max<std::size_t>(2, static_cast<std::size_t>(number_at(file, at + 2, 2, true)));
    // As many segments as libjpeg accepts, and room for other kinds of segments.
    if (length > file.size() - at - 2 || segments.size() >= 2 * most_jpeg_markers) break;
    segments.push_back({marker - app0, file.subspan(at + 4, length - 2)});
    at += 2 + length;
  }
  return segments;
}

Orientation read_jpeg_metadata(std::span<const std::byte> file, Metadata& metadata) {
  Orientation orientation;
  std::span<const std::byte> exif, packet;
  std::vector<std::span<const std::byte>> extension;
  Blob photoshop;
  std::string comment;
  for (const JpegSegmentView& segment : jpeg_segments(file)) {
    const auto rest = [&](std::string_view head) { return after(segment.body, head); };
    if (segment.application == 1) {
      if (const auto body = rest(exif_head); body.data() != nullptr && exif.data() == nullptr)
        exif = body;
      if (const auto body = rest(xmp_head); !body.empty() && packet.empty()) packet = body;
      if (const auto body = rest(extension_head); !body.empty()) extension.push_back(body);
    }
    if (segment.application == 13)
      if (const auto body = rest(photoshop_head); !body.empty()) append_bytes(photoshop, body);
    if (segment.application == jpeg_comment) add_comment(segment.body, comment);
  }
  if (!comment.empty()) metadata[jpeg_comment_key] = std::move(comment);
  if (!exif.empty()) orientation = take_exif(exif, metadata);
  if (!packet.empty()) {
    metadata[xmp_key] = Blob(packet.begin(), packet.end());
    const std::string name =
        extension.empty() ? ""
                          : xmp_extension_name(text_of_bytes(Blob(packet.begin(), packet.end())));
    if (Blob whole = joined_extension(extension, name); !whole.empty())
      metadata[xmp_extension_key] = std::move(whole);
  }
  take_photoshop(photoshop, metadata);
  if (orientation.exif != 1) set_xmp_orientation(metadata, 1);
  return orientation;
}

Blob jpeg_exif(const Spec& spec, ExifThumbnailRoom thumbnail) {
  return exif_to_write(spec, most_exif, true, thumbnail);
}

std::vector<JpegSegment> jpeg_metadata_segments(const Spec& spec, const Blob& exif) {
  std::vector<JpegSegment> segments;
  if (!exif.empty()) segments.push_back({1, with_head(exif_head, exif)});
  if (const Blob packet = xmp_to_write(spec, most_xmp_in_jpeg, XmpForm::split); !packet.empty()) {
    segments.push_back({1, with_head(xmp_head, packet)});
    if (const Blob* extension = find_entry<Blob>(spec.metadata, xmp_extension_key))
      add_extension(packet, *extension, segments);
  } else if (const Blob whole = xmp_to_write(spec, most_xmp, XmpForm::split); !whole.empty()) {
    const SplitXmp split = split_xmp(text_of_bytes(whole), most_xmp_in_jpeg);
    if (!split.packet.empty()) {
      segments.push_back({1, with_head(xmp_head, bytes_of_text(split.packet))});
      add_extension(bytes_of_text(split.packet), bytes_of_text(split.extension), segments);
    }
  }
  const Blob resources = photoshop_to_write(spec.metadata);
  constexpr std::size_t most = most_in_a_segment - photoshop_head.size();
  for (std::size_t at = 0; at < resources.size(); at += most) {
    const auto piece = std::span(resources).subspan(at, std::min(most, resources.size() - at));
    segments.push_back({13, with_head(photoshop_head, piece)});
  }
  if (const auto* comment = find_entry<std::string>(spec.metadata, jpeg_comment_key);
      comment != nullptr && is_comment(*comment))
    segments.push_back({jpeg_comment, bytes_of_text(*comment)});
  return segments;
}

bool jpeg_keeps(const std::string& key, const MetadataValue& value) {
  if (std::holds_alternative<Blob>(value))
    return key == exif_key || key == iptc_key || key == photoshop_key || key == xmp_extension_key ||
           (key == xmp_key && fits_xmp(std::get<Blob>(value)));
  const auto* text = std::get_if<std::string>(&value);
  if (key == jpeg_comment_key) return text != nullptr && is_comment(*text);
  if (key == "xDensity") return jpeg_densities.holds(value);
  return is_text_tag(key, value);
}

std::vector<std::string> jpeg_loses(const Spec& spec) {
  std::vector<std::string> lost;
  exif_to_write(spec, most_exif, true, ExifThumbnailRoom::none, &lost);
  for (std::string& name : lost) name += " of exif";
  return lost;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "io/jpeg/jpeg_unknown.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/bytes.h"
#include "io/tags/exif_block.h"

namespace cuimg {
namespace {

constexpr int last_application = 15;

// A broken EXIF block also counts as known.
bool is_known(const JpegSegmentView& segment) {
  const auto begins = [&](std::string_view head) { return begins_with(segment.body, head); };
  constexpr std::string_view exif(jpeg_exif_name, sizeof jpeg_exif_name);
  switch (segment.application) {
    case 0:
      return begins({"JFIF\0", 5});
    case 1:
      if (begins(exif)) {
        const auto block = segment.body.subspan(exif.size());
        return !ExifBlock(Blob(block.begin(), block.end())).is_empty();
      }
      return begins({"http://ns.adobe.com/xap/1.0/\0", 29}) ||
             begins({"http://ns.adobe.com/xmp/extension/\0", 35});
    case 2:
      return begins({"ICC_PROFILE\0", 12}) || begins({"MPF\0", 4});
    case 13:
      return begins({"Photoshop 3.0\0", 14});
    case 14:
      return begins("Adobe");
    default:
      return segment.application < 0 || segment.application > last_application;
  }
}

bool is_credentials(const JpegSegmentView& segment) {
  constexpr int jumbf = 11;
  return segment.application == jumbf &&
         text_of_bytes(segment.body).find("c2pa") != std::string::npos;
}

std::size_t start_of_scans(std::span<const std::byte> file) {
  const std::vector<JpegSegmentView> segments = jpeg_segments(file);
  if (segments.empty()) return file.size();
  const std::span<const std::byte> last = segments.back().body;
  return static_cast<std::size_t>(last.data() + last.size() - file.data());
}

}  // namespace

bool JpegUnknown::has_credentials() const { return std::ranges::any_of(segments, is_credentials); }

std::string JpegUnknown::names() const {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const JpegSegmentView& segment : segments)
    add("APP" + std::to_string(segment.application) + (is_credentials(segment) ? " (C2PA)" : ""));
  if (!behind.empty()) add(std::to_string(behind.size()) + " bytes behind the picture");
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + names[i];
  return text;
}

JpegUnknown unknown_in_jpeg(std::span<const std::byte> file) {
  JpegUnknown unknown;
  for (const JpegSegmentView& segment : jpeg_segments(file))
    if (!is_known(segment)) unknown.segments.push_back(segment);
  return unknown;
}

std::span<const std::byte> behind_picture(std::span<const std::byte> file) {
  constexpr int mark = 0xff, end = 0xd9, first_restart = 0xd0, alone = 0x01;
  for (std::size_t at = start_of_scans(file); at + 2 <= file.size();) {
    const auto* const found =
        static_cast<const std::byte*>(std::memchr(&file[at], mark, file.size() - at - 1));
    if (found == nullptr) break;
    at = static_cast<std::size_t>(found - file.data());
    const int marker = std::to_integer<int>(file[at + 1]);
    if (marker == end) return file.subspan(at + 2);
    const bool has_length =
        marker > alone && marker != mark && (marker < first_restart || marker > end);
    if (has_length && at + 4 > file.size()) break;
    at += marker == mark ? 1 : 2;
    if (has_length) at += static_cast<std::size_t>(number_at(file, at, 2, true));
  }
  return {};
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Writes the segments before the blocks.
#include "io/jpeg/jpeg_turn.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "io/flat_image.h"
#include "io/jpeg/jpeg_encode.h"
#include "io/jpeg/jpeg_metadata.h"
#include "io/jpeg/jpeg_move.h"
#include "io/jpeg/jpeg_small.h"
#include "io/tags/exif.h"
#include "io/tags/exif_block.h"
#include "io/tags/exif_thumbnail.h"
#include "io/tags/xmp.h"

namespace cuimg {
namespace {

// The picture as stored in a file with that orientation.
Spec as_stored(Spec upright, Orientation orientation) {
  set_xmp_orientation(upright.metadata, orientation.exif);
  if (!orientation.transposes()) return upright;
  std::swap(upright.data_window.width, upright.data_window.height);
  // Horizontal in the file is vertical in the picture.
  if (const auto density = metadata_number(upright.metadata, "xDensity"))
    upright.metadata["xDensity"] = *density * static_cast<double>(upright.pixel_aspect);
  upright.pixel_aspect = 1 / upright.pixel_aspect;
  return upright;
}

Blob oriented(Blob exif, Orientation orientation) {
  if (orientation.exif == 1) return exif;
  ExifBlock block(std::move(exif));
  constexpr std::uint16_t orientation_tag = 0x0112;
  block.set_numbers(ExifDirectory::primary, orientation_tag, TiffType::u16,
                    {static_cast<std::uint32_t>(orientation.exif)});
  return block.bytes();
}

// With a thumbnail of the turned picture, if the input had one. @param blocks a whole file.
Blob turned_exif(std::span<const std::byte> blocks, const Spec& turned) {
  Blob block = jpeg_exif(turned, ExifThumbnailRoom::left);
  if (block.empty() || !ExifBlock(block).has_thumbnail()) return block;
  // Each side of the thumbnail averages at least two pixels.
  const ThumbnailSize size = exif_thumbnail_size(turned);
  const std::optional<Image> small = read_small_jpeg(blocks, 2 * std::min(size.width, size.height));
  if (!small) return jpeg_exif(turned, ExifThumbnailRoom::none);
  ExifThumbnail thumbnail(std::move(block), small->spec(), size);
  thumbnail.add(*small, 0, small->spec().data_window.height);
  thumbnail.finish();
  return thumbnail.block();
}

void append_segment(int application, std::span<const std::byte> body, std::vector<std::byte>& to) {
  append_number(to, static_cast<std::uint64_t>(0xffe0 + application), 2, true);
  append_number(to, body.size() + 2, 2, true);
  append_bytes(to, body);
}

// Keeps the file's comments if they say the same as the metadata: unchanged, in one segment or in
// several.
bool keeps_comments(std::span<const std::byte> file, const Spec& written) {
  Metadata read;
  read_jpeg_metadata(file, read);
  const auto *before = find_entry<std::string>(read, jpeg_comment_key),
             *now = find_entry<std::string>(written.metadata, jpeg_comment_key);
  return before != nullptr && now != nullptr && *before == *now;
}

constexpr std::size_t jfif_bytes = 18;  // the length of its segment, including the marker

bool begins_with_jfif(std::span<const std::byte> file) {
  return file.size() > jfif_bytes + 2 && std::to_integer<int>(file[3]) == 0xe0;
}

// JFIF 1.01 without a density and a thumbnail.
std::span<const std::byte> plain_jfif() {
  static constexpr char segment[] = "\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0";
  return std::as_bytes(std::span(segment)).first(jfif_bytes);
}

void append_jfif(std::span<const std::byte> segment, const JpegDensity& density,
                 std::vector<std::byte>& to) {
  constexpr std::size_t unit_at = 11;
  const std::size_t start = to.size();
  append_bytes(to, segment);
  const auto made = std::span(to).subspan(start);
  made[unit_at] = static_cast<std::byte>(density.unit);
  put_number(made.subspan(unit_at + 1, 2), static_cast<std::uint64_t>(density.x), true);
  put_number(made.subspan(unit_at + 3, 2), static_cast<std::uint64_t>(density.y), true);
}

int components_of(std::span<const std::byte> file) {
  constexpr int first_frame = 0xc0 - 0xe0, last_frame = 0xcf - 0xe0, huffman_tables = 0xc4 - 0xe0,
                arithmetic_tables = 0xcc - 0xe0;
  constexpr std::size_t count_at = 5;
  for (const JpegSegmentView& segment : jpeg_segments(file))
    if (segment.application >= first_frame && segment.application <= last_frame &&
        segment.application != huffman_tables && segment.application != arithmetic_tables &&
        segment.body.size() > count_at)
      return std::to_integer<int>(segment.body[count_at]);
  return 0;
}

// @param turn the turn of the blocks. @param orientation the turn that remains for a reader of the
// file.
// @param turned the picture as it is then stored.
std::optional<std::vector<std::byte>> jpeg_of_blocks(std::span<const std::byte> file,
                                                     Orientation turn, Orientation orientation,
                                                     const Spec& turned,
                                                     const JpegUnknown& unknown) {
  auto blocks = moved_blocks(file, turn.turn());
  if (!blocks || blocks->size() < 4) return std::nullopt;
  std::vector<std::byte> result(blocks->begin(), blocks->begin() + 2);  // the start-of-image marker
  const JpegDensity density = jpeg_density(turned);
  const bool has_jfif = begins_with_jfif(*blocks);
  const std::size_t rest = has_jfif ? 2 + jfif_bytes : 2;
  // libjpeg writes no JFIF for CMYK, but readers accept it.
  const bool gets_jfif = !has_jfif && components_of(*blocks) == 4 && density.says_something();
  if (has_jfif)
    append_jfif(std::span(*blocks).subspan(2, jfif_bytes), density, result);
  else if (gets_jfif)
    append_jfif(plain_jfif(), density, result);
  // JFXX must follow JFIF.
  for (const JpegSegmentView& segment : unknown.segments)
    if (segment.application == 0) append_segment(0, segment.body, result);
  // With a JFIF segment, readers interpret three components as YCbCr, so RGB has its density only
  // in EXIF.
  Spec described = turned;
  if (!has_jfif && !gets_jfif && density.unit != 0)
    described.metadata[exif_key] = exif_with_resolution(turned, density.x, density.y);
  const Blob exif = oriented(turned_exif(*blocks, described), orientation);
  const bool own_comments = keeps_comments(file, turned);
  for (const JpegSegment& segment : jpeg_metadata_segments(turned, exif))
    if (segment.application != jpeg_comment || !own_comments)
      append_segment(segment.application, segment.body, result);
  constexpr std::string_view profile_name{"ICC_PROFILE\0", 12};
  for (const JpegSegmentView& segment : jpeg_segments(file))
    if (segment.application == 2 && segment.body.size() > profile_name.size() &&
        begins_with(segment.body, profile_name))
      append_segment(2, segment.body, result);
  for (const JpegSegmentView& segment : unknown.segments)
    if (segment.application != 0) append_segment(segment.application, segment.body, result);
  if (own_comments)
    for (const JpegSegmentView& segment : jpeg_segments(file))
      if (segment.application == jpeg_comment) append_segment(jpeg_comment, segment.body, result);
  result.insert(result.end(), blocks->begin() + static_cast<std::ptrdiff_t>(rest), blocks->end());
  append_bytes(result, unknown.behind);
  return result;
}

}  // namespace

std::optional<std::vector<std::byte>> turn_jpeg(std::span<const std::byte> file,
                                                Orientation orientation, const Spec& turned,
                                                const JpegUnknown& unknown) {
  return jpeg_of_blocks(file, orientation, {}, turned, unknown);
}

std::optional<std::vector<std::byte>> keep_jpeg(std::span<const std::byte> file,
                                                Orientation orientation, const Spec& upright,
                                                const JpegUnknown& unknown) {
  return jpeg_of_blocks(file, {}, orientation, as_stored(upright, orientation), unknown);
}

}  // namespace cuimg

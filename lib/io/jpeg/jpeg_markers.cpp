// SPDX-License-Identifier: Apache-2.0
#include "io/jpeg/jpeg_markers.h"

#include <algorithm>
#include <string_view>

#include "base/bytes.h"

namespace cuimg {
namespace {

constexpr int app0 = JPEG_APP0, app2 = JPEG_APP0 + 2, app14 = JPEG_APP0 + 14,
              app15 = JPEG_APP0 + 15;
constexpr std::string_view profile_name{"ICC_PROFILE\0", 12};

int byte_at(std::span<const std::byte> body, std::size_t i) {
  return std::to_integer<int>(body[i]);
}

// libjpeg offers no way to call its own processors of APP0 and APP14, so these two functions
// replace them.
void take_jfif(j_decompress_ptr info, std::span<const std::byte> body) {
  if (body.size() < 14 || !begins_with(body, {"JFIF\0", 5})) return;
  info->saw_JFIF_marker = TRUE;
  info->JFIF_major_version = static_cast<UINT8>(byte_at(body, 5));
  info->JFIF_minor_version = static_cast<UINT8>(byte_at(body, 6));
  info->density_unit = static_cast<UINT8>(byte_at(body, 7));
  info->X_density = static_cast<UINT16>(byte_at(body, 8) << 8 | byte_at(body, 9));
  info->Y_density = static_cast<UINT16>(byte_at(body, 10) << 8 | byte_at(body, 11));
  if (info->JFIF_major_version != 1)
    WARNMS2(info, JWRN_JFIF_MAJOR, info->JFIF_major_version, info->JFIF_minor_version);
}

void take_adobe(j_decompress_ptr info, std::span<const std::byte> body) {
  if (body.size() < 12 || !begins_with(body, "Adobe")) return;
  info->saw_Adobe_marker = TRUE;
  info->Adobe_transform = static_cast<UINT8>(byte_at(body, 11));
}

}  // namespace

void JpegMarkers::install(jpeg_decompress_struct& info) {
  info.client_data = this;
  for (int marker = app0; marker <= app15; ++marker)
    jpeg_set_marker_processor(&info, marker, take_next);
  jpeg_set_marker_processor(&info, JPEG_COM, take_next);
}

// The source holds the whole file, so no segment has to wait for more bytes, and a segment that
// passes the end is cut short. Lengths below 2, which include the length field itself, count as
// empty segments, as in libjpeg.
boolean JpegMarkers::take_next(j_decompress_ptr info) {
  jpeg_source_mgr& source = *info->src;
  const std::span left = std::as_bytes(std::span(source.next_input_byte, source.bytes_in_buffer));
  const int stated = left.size() < 2 ? 2 : byte_at(left, 0) << 8 | byte_at(left, 1);
  const auto length = static_cast<std::size_t>(std::max(stated, 2));
  if (left.size() < length) {
    WARNMS(info, JWRN_JPEG_EOF);  // an error here: jpeg_errors.cpp
    return FALSE;
  }
  source.next_input_byte += length;
  source.bytes_in_buffer -= length;
  static_cast<JpegMarkers*>(info->client_data)
      ->take(info, info->unread_marker, left.subspan(2, length - 2));
  return TRUE;
}

void JpegMarkers::take(j_decompress_ptr info, int marker, std::span<const std::byte> body) {
  if (++count_ > most_jpeg_markers)
    refuse(reinterpret_cast<j_common_ptr>(info),
           "the file has more than 4,096 markers of applications and comments (APPn, COM)");
  if (marker == app0) take_jfif(info, body);
  if (marker == app2 && begins_with(body, profile_name)) take_profile_piece(body);
  if (marker == app2 && begins_with(body, {"MPF\0", 4})) has_more_pictures_ = true;
  if (marker == app14) take_adobe(info, body);
}

// ICC.1:2022, annex B.4: the name, this piece's number from 1, the number of pieces.
void JpegMarkers::take_profile_piece(std::span<const std::byte> body) {
  if (body.size() < profile_name.size() + 2) return;
  const auto number = static_cast<std::size_t>(byte_at(body, profile_name.size()));
  const auto pieces = static_cast<std::size_t>(byte_at(body, profile_name.size() + 1));
  if (!has_profile_) pieces_ = pieces;
  has_profile_ = true;
  if (pieces != pieces_ || number < 1 || number > pieces || piece_[number].data() != nullptr)
    contradicts_ = true;
  else
    piece_[number] = body.subspan(profile_name.size() + 2);
}

bool JpegMarkers::is_whole() const {
  if (contradicts_) return false;
  const auto pieces = std::span(piece_).subspan(1, pieces_);
  return std::ranges::all_of(pieces, [](const auto& piece) { return piece.data() != nullptr; }) &&
         std::ranges::any_of(pieces, [](const auto& piece) { return !piece.empty(); });
}

std::vector<std::byte> JpegMarkers::profile() const {
  std::vector<std::byte> joined;
  if (!has_profile_ || !is_whole()) return joined;
  for (const auto& piece : std::span(piece_).subspan(1, pieces_)) append_bytes(joined, piece);
  return joined;
}

}  // namespace cuimg

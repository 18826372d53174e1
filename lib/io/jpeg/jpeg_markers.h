// SPDX-License-Identifier: Apache-2.0
// The segments of a JPEG file that describe its pixels: an ICC profile, and the encoding of
// colours. libjpeg's own list of saved segments takes time that grows with the square of their
// number.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "io/jpeg/jpeg_errors.h"

namespace cuimg {

/// More segments APPn and COM than this are refused. A file of 64 MB in segments of the largest
/// size has 1,024.
inline constexpr int most_jpeg_markers = 4096;

/// Has no destructor, as jpeg_errors.h requires. Its spans point into the file's bytes.
class JpegMarkers {
 public:
  /// Takes every segment APPn and COM that `info` reads from now on; more than most_jpeg_markers
  /// are an error of libjpeg. @param info its source holds the whole file. Its client_data is set
  /// to this object, which must not move.
  void install(jpeg_decompress_struct& info);

  /// Whether there are pieces of a profile that do not form a complete one.
  bool has_broken_profile() const { return has_profile_ && !is_whole(); }
  /// Whether the file lists other pictures after this one (CIPA DC-007, Multi-Picture Format).
  bool has_more_pictures() const { return has_more_pictures_; }
  /// The pieces in order; empty if one is missing or contradicts another.
  std::vector<std::byte> profile() const;

 private:
  static boolean take_next(j_decompress_ptr info);
  void take(j_decompress_ptr info, int marker, std::span<const std::byte> body);
  void take_profile_piece(std::span<const std::byte> body);
  bool is_whole() const;

  int count_ = 0;
  bool has_profile_ = false, contradicts_ = false, has_more_pictures_ = false;
  std::size_t pieces_ = 0;                             ///< As stated by the first piece.
  std::array<std::span<const std::byte>, 256> piece_;  ///< By number, from 1; null: not seen.
};

}  // namespace cuimg

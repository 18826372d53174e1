// SPDX-License-Identifier: Apache-2.0
// Data in a JPEG file that cuimg does not read: other programs' data in APPn segments and after the
// picture. It is kept if the pixels do not change.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "io/jpeg/jpeg_metadata.h"

namespace cuimg {

struct JpegUnknown {
  std::vector<JpegSegmentView> segments;  ///< In the file's order.
  std::span<const std::byte> behind;      ///< The data after the picture's end.

  bool is_empty() const { return segments.empty() && behind.empty(); }
  /// Whether the data include Content Credentials (C2PA), which are signed for the pixels.
  bool has_credentials() const;
  /// "APP5, APP11 (C2PA) and 12 bytes behind the picture"
  std::string names() const;
};

/// The data before the picture, without the list of further pictures (MPF).
JpegUnknown unknown_in_jpeg(std::span<const std::byte> file);
/// The data after the picture's end, which is searched for in the whole file.
std::span<const std::byte> behind_picture(std::span<const std::byte> file);

}  // namespace cuimg

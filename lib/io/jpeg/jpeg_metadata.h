// SPDX-License-Identifier: Apache-2.0
// Metadata in a JPEG file's segments: EXIF and XMP in APP1, IPTC and other resources of Photoshop
// in APP13, comments.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "image/spec.h"
#include "io/tags/exif.h"
#include "io/tags/orientation.h"

namespace cuimg {

/// COM, with a number as if it were one of the APPn markers.
inline constexpr int jpeg_comment = 0xfe - 0xe0;

/// The key of comments in Spec::metadata, which is PNG's keyword for them.
inline constexpr const char* jpeg_comment_key = "Comment";

struct JpegSegment {
  int application = 0;  ///< n of APPn, or jpeg_comment.
  Blob body;            ///< Without the marker and the length.
};

/// The segments before the first scan, as spans into the file.
struct JpegSegmentView {
  int application = 0;  ///< As above; other markers are also numbered from APP0.
  std::span<const std::byte> body;
};
std::vector<JpegSegmentView> jpeg_segments(std::span<const std::byte> file);

/// Fills in "exif", "xmp", "xmp extension", "iptc", "photoshop" and "Comment", and the texts of
/// EXIF.
/// @returns the orientation of the stored pixels.
Orientation read_jpeg_metadata(std::span<const std::byte> file, Metadata& metadata);

/// The EXIF block to write with an image; empty if there is none.
Blob jpeg_exif(const Spec& spec, ExifThumbnailRoom thumbnail);
/// The segments for an image's metadata, in the order of writing.
/// @param exif the EXIF block: its segment is the first, and ends with the block. Empty: none.
std::vector<JpegSegment> jpeg_metadata_segments(const Spec& spec, const Blob& exif);

/// See Capabilities::keeps.
bool jpeg_keeps(const std::string& key, const MetadataValue& value);
/// See Capabilities::loses.
std::vector<std::string> jpeg_loses(const Spec& spec);

}  // namespace cuimg

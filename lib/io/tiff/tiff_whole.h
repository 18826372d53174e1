// SPDX-License-Identifier: Apache-2.0
// Whether a TIFF file is all there, found before libtiff opens it: libtiff leaves out, with a
// warning, a tag whose value lies past the end, be it the palette or the colour profile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/byte_source.h"

namespace cuimg {

struct TiffPage {
  std::uint64_t directory = 0;  ///< Where it lies in the file.
  std::string name;             ///< PageName; often empty.
};

struct TiffContents {
  std::vector<TiffPage> pages;     ///< In the file's order: one at least.
  std::vector<std::string> notes;  ///< What of the file is no page.
};

/// Follows every directory of a TIFF or BigTIFF file, with its SubIFDs and Exif. Values are looked
/// at only to find strips, tiles and further directories, so an unknown tag may hold anything.
/// A page's transparency mask is no page.
/// @throws Error when a directory, a tag's value, a strip or a tile lies past the file's end, and
/// for more pages than most_parts.
TiffContents check_tiff_is_whole(const ByteSource& source);

}  // namespace cuimg

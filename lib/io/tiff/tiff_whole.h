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
  int masks = 0;                ///< Transparency masks behind it, which are no pages.
  std::uint64_t sub_ifds = 0;   ///< Pictures that its directory points at: often smaller ones.
  /// Of ImageJ's stacks with one directory: where the pixels of this picture lie in the file; 0: as
  /// the directory says.
  std::uint64_t pixels_at = 0;
  int planes_left_out = 0;  ///< Of such a stack whose planes cannot be found.
  bool is_reduced = false;  ///< A smaller version of a picture of the file, as pyramids have.
};

/// Follows every directory of a TIFF or BigTIFF file, with its SubIFDs and Exif. Values are looked
/// at only to find strips, tiles and further directories, so an unknown tag may hold anything.
/// A page's transparency mask is no page. Planes of ImageJ's stacks are pages.
/// @returns the pages in the file's order, one at least.
/// @throws Error when a directory, a tag's value, a strip or a tile lies past the file's end, and
/// for more pages than most_parts.
std::vector<TiffPage> check_tiff_is_whole(const ByteSource& source);

/// What the reader of a page leaves out behind it, in words.
std::vector<std::string> left_out_of(const TiffPage& page);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Checks that a TIFF file is complete before libtiff opens it: libtiff omits, with only a warning,
// a tag whose value lies past the end, even the palette or the colour profile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/byte_source.h"
#include "io/tiff/tiff_stack.h"

namespace cuimg {

struct TiffPage {
  std::uint64_t directory = 0;  ///< Its position in the file.
  std::string name;             ///< PageName; often empty.
  int masks = 0;                ///< Transparency masks after it, which are not pages.
  std::uint64_t sub_ifds = 0;   ///< Pictures to which its directory points: often smaller ones.
  /// The kind and the number of planes that a tag of the directory states, for a volume or
  /// MetaMorph's stack.
  StackKind stack = StackKind::imagej;
  std::uint64_t planes = 1;
  /// For a plane of a stack with one directory: the position of its pixels in the file; 0: as
  /// stated in the directory.
  std::uint64_t pixels_at = 0;
  /// For such a plane of a volume whose strips or tiles are compressed: its number, which is not 0,
  /// and how many strips or tiles it has.
  std::uint64_t plane = 0, plane_blocks = 0;
  /// For such a stack, the planes whose position is unknown or that are compressed.
  std::uint64_t planes_left_out = 0;
  bool is_reduced = false;  ///< A smaller version of another picture in the file, as in pyramids.
};

/// Follows every directory of a TIFF or BigTIFF file, with its SubIFDs and Exif. Values are only
/// read to find strips, tiles and further directories, so an unknown tag may have any value.
/// A page's transparency mask is not a page. Planes of stacks with one directory are pages.
/// @returns the pages in the file's order, at least one.
/// @throws Error if a directory, a tag's value, a strip or a tile lies past the file's end, and for
/// more pages than most_parts.
std::vector<TiffPage> check_tiff_is_whole(const ByteSource& source);

/// The contents after a page that its reader leaves out, in words.
std::vector<std::string> left_out_of(const TiffPage& page);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Stacks with one directory. Above 4 GB ImageJ writes the planes after the first one, and only
// ImageDescription states their number. MetaMorph always does so; the count of its tag UIC2 is the
// number. A volume has strips or tiles for all planes, and the number is in SGI's tag ImageDepth.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "io/tiff/tiff_bands.h"
#include "io/tiff/tiff_volume.h"

namespace cuimg {

enum class StackKind : std::uint8_t { imagej, metamorph, volume };

struct TiffStack {
  StackKind kind = StackKind::imagej;
  std::uint64_t planes = 1;       ///< As stated in the file, which may contain fewer.
  std::uint64_t plane_bytes = 0;  ///< 0: their position is not known.
  std::uint64_t first = 0;        ///< The position of the first plane in the file.
  /// For a volume that is compressed or in tiles: how many strips or tiles a plane has; 0: unknown.
  std::uint64_t plane_blocks = 0;
};

/// The stack that ImageJ's description declares, for a file with one page; nothing if it declares
/// none. @param directory the offset of the page's directory, in bytes.
std::optional<TiffStack> imagej_stack(std::span<const std::byte> file, std::uint64_t directory);

/// The stack that a directory's own tag declares.
/// @param planes as in that tag.
/// @returns nothing for a volume of which the directory lists only one plane: some writers of
/// ordinary pictures set ImageDepth.
std::optional<TiffStack> tagged_stack(std::span<const std::byte> file, std::uint64_t directory,
                                      StackKind kind, std::uint64_t planes);

/// The strips or tiles of one plane of a volume. @param plane_blocks as in TiffStack; not 0.
std::vector<TiffBlock> blocks_of_plane(std::span<const std::byte> file, std::uint64_t directory,
                                       std::uint64_t plane, std::uint64_t plane_blocks);

/// Like read_tiff_bands(), for a plane that has no directory. @param at its offset in bytes; the
/// caller has checked that the file contains all of it. @param width, height of the page.
void read_tiff_plane(std::span<const std::byte> file, std::uint64_t at, int width, int height,
                     const TiffSamples& samples, const PutBand& put);

}  // namespace cuimg

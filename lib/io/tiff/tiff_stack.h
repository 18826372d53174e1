// SPDX-License-Identifier: Apache-2.0
// Stacks with one directory: above 4 GB ImageJ writes the planes behind the first one, and states
// their number in ImageDescription alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "io/tiff/tiff_bands.h"

namespace cuimg {

struct TiffStack {
  int planes = 1;                 ///< What the description says.
  std::uint64_t plane_bytes = 0;  ///< 0: where they lie is not known.
  std::uint64_t first = 0;        ///< Where the first plane lies in the file.
};

/// The stack that ImageJ's description declares, for a file with one page; nothing if it declares
/// none. @param directory the offset of the page's, in bytes.
std::optional<TiffStack> imagej_stack(std::span<const std::byte> file, std::uint64_t directory);

/// As read_tiff_bands(), of a plane that has no directory. @param at its offset in bytes; the
/// caller has checked that the file holds all of it. @param width, height of the page.
void read_tiff_plane(std::span<const std::byte> file, std::uint64_t at, int width, int height,
                     const TiffSamples& samples, const PutBand& put);

}  // namespace cuimg

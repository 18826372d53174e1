// SPDX-License-Identifier: Apache-2.0
// Stacks with one directory: ImageJ writes the planes of one above 4 GB behind the first, and their
// number into the description alone.
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

/// Of a file with one page: the stack that ImageJ's description of it says, if that is one.
/// @param directory where the page's lies.
std::optional<TiffStack> imagej_stack(std::span<const std::byte> file, std::uint64_t directory);

/// As read_tiff_bands(), of a plane that has no directory. @param at where it lies in the file,
/// which holds all of it. @param width, height of the page.
void read_tiff_plane(std::span<const std::byte> file, std::uint64_t at, int width, int height,
                     const TiffSamples& samples, const PutBand& put);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Reads strips or tiles, with samples together or in planes, as bands of whole rows, so that later
// code need not know a file's layout.
#pragma once

#include <cstddef>
#include <functional>

#include "io/tiff/tiff_handle.h"
#include "io/tiff/tiff_samples.h"

namespace cuimg {

/// Takes rows `first` to `first + rows - 1` as stored, before any orientation: pixels of `samples`'
/// channels and type without gaps, which `put` may change in place.
using PutBand = std::function<void(int first, int rows, std::byte* band)>;

/// Whether a page stores each sample in a separate plane.
bool tiff_planes_apart(const TiffHandle& tiff);

/// Calls `put` with all rows of the page, from the first to the last.
/// @throws Error with the file's name.
void read_tiff_bands(TiffHandle& tiff, const TiffSamples& samples, const PutBand& put);

/// Like read_tiff_bands(), but with libtiff's own conversion to 8-bit RGB.
void read_tiff_as_rgb(TiffHandle& tiff, const PutBand& put);

}  // namespace cuimg

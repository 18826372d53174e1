// SPDX-License-Identifier: Apache-2.0
// Reads the rows of a page or of a stack's plane, wherever they are in the file.
#pragma once

#include <cstddef>
#include <span>

#include "io/tiff/tiff_bands.h"
#include "io/tiff/tiff_whole.h"

namespace cuimg {

/// Like read_tiff_bands(). @param tiff has the page's directory.
void read_tiff_page(TiffHandle& tiff, std::span<const std::byte> file, const TiffPage& page,
                    const TiffSamples& samples, const PutBand& put);

}  // namespace cuimg

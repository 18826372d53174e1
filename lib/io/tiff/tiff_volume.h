// SPDX-License-Identifier: Apache-2.0
// Planes of a volume whose strips or tiles are compressed. libtiff finds only those of the first
// plane, so those of another one are handed to it as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/tiff/tiff_bands.h"

namespace cuimg {

/// A strip or tile in the file.
struct TiffBlock {
  std::uint64_t at = 0, bytes = 0;
};

/// Like read_tiff_bands(), for another plane of the page, whose samples are together.
/// @param blocks all of the plane's, inside `file`. @throws Error.
void read_tiff_blocks(TiffHandle& tiff, std::span<const std::byte> file,
                      const std::vector<TiffBlock>& blocks, const TiffSamples& samples,
                      const PutBand& put);

}  // namespace cuimg

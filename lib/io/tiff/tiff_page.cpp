// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff_page.h"

#include "io/tiff/tiff_stack.h"
#include "io/tiff/tiff_volume.h"

namespace cuimg {

void read_tiff_page(TiffHandle& tiff, std::span<const std::byte> file, const TiffPage& page,
                    const TiffSamples& samples, const PutBand& put) {
  const auto side = [&](std::uint32_t tag) {
    return static_cast<int>(tiff.field<std::uint32_t>(tag, 0));
  };
  if (page.pixels_at != 0)
    return read_tiff_plane(file, page.pixels_at, side(TIFFTAG_IMAGEWIDTH),
                           side(TIFFTAG_IMAGELENGTH), samples, put);
  if (page.plane == 0) return read_tiff_bands(tiff, samples, put);
  const auto blocks = blocks_of_plane(file, page.directory, page.plane, page.plane_blocks);
  read_tiff_blocks(tiff, file, blocks, samples, put);
}

}  // namespace cuimg

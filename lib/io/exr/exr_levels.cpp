// SPDX-License-Identifier: Apache-2.0
// Mipmapped tiles: level 0 as its rows become ready, then each level, which is made of the one
// before it.
#include <OpenEXR/ImfTileDescription.h>
#include <OpenEXR/ImfTiledOutputFile.h>

#include <algorithm>

#include "base/error.h"
#include "io/exr/exr_header.h"
#include "io/exr/exr_layout.h"
#include "io/exr/exr_support.h"

namespace cuimg {

void write_exr_levels(Imf::OStream& output, const Image& image, Imf::Header header,
                      const EncodeOptions& options, RowProgress& ready) {
  const auto side = static_cast<unsigned>(image.spec().mip->tile);
  header.setTileDescription(Imf::TileDescription(side, side, Imf::MIPMAP_LEVELS, Imf::ROUND_DOWN));
  const int threads = exr_threads(options.threads);
  // Its destructor writes the table of offsets.
  Imf::TiledOutputFile file(output, header, threads);
  file.setFrameBuffer(exr_frame_buffer(image));
  // Enough tiles at a time to keep every thread busy.
  const int rows = std::max(1, 4 * threads / file.numXTiles(0));
  for (int row = 0; row < file.numYTiles(0); row += rows) {
    const int last = std::min(row + rows, file.numYTiles(0)) - 1;
    ready.wait_for(static_cast<int>(
        std::min<std::int64_t>((last + std::int64_t{1}) * side, image.spec().data_window.height)));
    file.writeTiles(0, file.numXTiles(0) - 1, row, last, 0);
  }
  Image made;
  for (int level = 1; level < file.numLevels(); ++level) {
    Image next = options.next_level(level == 1 ? image : made);
    if (next.spec().data_window != rect_of(file.dataWindowForLevel(level)) ||
        next.spec().layers != image.spec().layers)
      throw Error("exr", "mip level " + std::to_string(level) + " does not fit the one before");
    made = std::move(next);
    file.setFrameBuffer(exr_frame_buffer(made));
    file.writeTiles(0, file.numXTiles(level) - 1, 0, file.numYTiles(level) - 1, level);
  }
}

}  // namespace cuimg

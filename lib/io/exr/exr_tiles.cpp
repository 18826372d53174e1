// SPDX-License-Identifier: Apache-2.0
// Tiles: level 0 as its rows become ready, then each level, which is made of the one
// before it.
#include <OpenEXR/ImfTileDescription.h>
#include <OpenEXR/ImfTiledOutputFile.h>

#include <algorithm>

#include "base/error.h"
#include "io/exr/exr_header.h"
#include "io/exr/exr_layout.h"
#include "io/exr/exr_support.h"

namespace cuimg {

void write_exr_tiles(Imf::OStream& output, const Image& image, const Imf::Header& header,
                     const EncodeOptions& options, RowProgress& ready, ExrSmallPictures& small) {
  const Imf::TileDescription& tiles = header.tileDescription();
  const int threads = exr_threads(options.threads);
  // Its destructor writes the table of offsets.
  Imf::TiledOutputFile file(output, header, threads);
  file.setFrameBuffer(exr_frame_buffer(header, image));
  // Enough tiles at a time to keep every thread busy.
  const int rows = std::max(1, 4 * threads / file.numXTiles(0));
  int done = 0;
  for (int row = 0; row < file.numYTiles(0); row += rows) {
    const int last = std::min(row + rows, file.numYTiles(0)) - 1;
    const int complete = static_cast<int>(std::min<std::int64_t>(
        (last + std::int64_t{1}) * tiles.ySize, image.spec().data_window.height));
    ready.wait_for(complete);
    file.writeTiles(0, file.numXTiles(0) - 1, row, last, 0);
    small.add(image, done, complete);
    done = complete;
    if (!image.spec().mip) ready.release(complete);  // else the next level is made of them
  }
  Image made;
  for (int level = 1; level < file.numLevels(); ++level) {
    Image next = options.next_level(level == 1 ? image : made);
    if (next.spec().data_window != rect_of(file.dataWindowForLevel(level)) ||
        next.spec().layers != image.spec().layers)
      throw Error("exr", "mip level " + std::to_string(level) + " does not fit the one before");
    made = std::move(next);
    file.setFrameBuffer(exr_frame_buffer(header, made));
    file.writeTiles(0, file.numXTiles(level) - 1, 0, file.numYTiles(level) - 1, level);
  }
}

}  // namespace cuimg

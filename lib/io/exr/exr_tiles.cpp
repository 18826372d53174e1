// SPDX-License-Identifier: Apache-2.0
// Writes tiles: level 0 as its rows become ready, then the smaller levels, which come from the
// input or are made from the previous level.
#include <OpenEXR/ImfTileDescription.h>
#include <OpenEXR/ImfTiledOutputFile.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "io/exr/exr_header.h"
#include "io/exr/exr_layout.h"
#include "io/exr/exr_support.h"

namespace cuimg {
namespace {

void check_level(const Imf::TiledOutputFile& file, LevelId id, const Image& level,
                 const Spec& whole) {
  if (level.spec().data_window != rect_of(file.dataWindowForLevel(id.across, id.down)) ||
      level.spec().layers != whole.layers)
    throw Error("exr", "level " + std::to_string(id.across) + ", " + std::to_string(id.down) +
                           " does not fit the picture");
}

// All levels except the first, in the order of the table of offsets.
std::vector<LevelId> smaller_levels(const Imf::TiledOutputFile& file) {
  std::vector<LevelId> levels;
  for (int down = 0; down < file.numYLevels(); ++down)
    for (int across = 0; across < file.numXLevels(); ++across)
      if (file.isValidLevel(across, down)) levels.push_back({across, down});
  levels.erase(levels.begin());
  return levels;
}

void write_smaller_levels(Imf::TiledOutputFile& file, const Image& image, const Imf::Header& header,
                          const EncodeOptions& options, const ExrHalves& halves) {
  const bool are_made = image.spec().mip.has_value();
  Image before;
  const Image* finer = &image;
  const auto go_on_from = [&](Image level, const ExrHalves& of_file) {
    of_file.round(level);
    before = std::move(level);
    finer = &before;
  };
  if (are_made && !halves.empty()) go_on_from(copy_of(image), halves);
  for (const LevelId id : smaller_levels(file)) {
    Image level = options.next_level(id, *finer);
    check_level(file, id, level, image.spec());
    ExrHalves narrow(header, level);
    narrow.add(0, level.spec().data_window.height);
    file.setFrameBuffer(exr_frame_buffer(header, level, narrow));
    file.writeTiles(0, file.numXTiles(id.across) - 1, 0, file.numYTiles(id.down) - 1, id.across,
                    id.down);
    if (are_made) go_on_from(std::move(level), narrow);
  }
}

}  // namespace

void write_exr_tiles(Imf::OStream& output, const Image& image, const Imf::Header& header,
                     const EncodeOptions& options, RowProgress& ready, ExrSmallPictures& small) {
  const Imf::TileDescription& tiles = header.tileDescription();
  const int threads = exr_threads(options.threads);
  // Its destructor writes the table of offsets.
  Imf::TiledOutputFile file(output, header, threads);
  ExrHalves halves(header, image, Held::some_rows);
  file.setFrameBuffer(exr_frame_buffer(header, image, halves));
  // Enough tiles at a time to occupy every thread.
  const int rows = std::max(1, 4 * threads / file.numXTiles(0));
  int done = 0;
  for (int row = 0; row < file.numYTiles(0); row += rows) {
    const int last = std::min(row + rows, file.numYTiles(0)) - 1;
    const int complete = static_cast<int>(std::min<std::int64_t>(
        (last + std::int64_t{1}) * tiles.ySize, image.spec().data_window.height));
    ready.wait_for(complete);
    halves.add(done, complete);
    file.writeTiles(0, file.numXTiles(0) - 1, row, last, 0);
    small.add(image, done, complete);
    halves.forget(done, complete);
    done = complete;
    // otherwise the next level is made from these rows
    if (!image.spec().mip) ready.release(complete);
  }
  write_smaller_levels(file, image, header, options, halves);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// How chunks hold rows, a channel's samples after another's: what writing and reading them share.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "image/image.h"

namespace cuimg {

/// One channel of the file, in the order of its names.
struct ExrChunkChannel {
  int layer = -1;          ///< -1: the image does not have it.
  std::size_t offset = 0;  ///< In the image's pixel.
  std::size_t bytes = 0;   ///< Of a sample: 2 or 4.
  std::size_t stride = 0;  ///< From pixel to pixel.
};

class ExrChunkRows {
 public:
  /// @param channels of a layer: all that it has, or none.
  /// @throws Error for chunks whose size the format cannot state.
  ExrChunkRows(std::span<const ExrChunkChannel> channels, int width, int chunk_rows);

  /// From a row of the file into row y of the image.
  void read(const std::byte* row, Image& image, int y) const;
  /// The way back.
  void write(const Image& image, int y, std::byte* row) const;

  std::size_t row_bytes = 0;
  int chunk_rows = 1;
  int block_rows = 1;  ///< A thread's share: whole chunks.

 private:
  /// Where a layer's channels begin in a row of the file.
  struct Planes {
    int layer = 0, count = 0;
    std::size_t sample_bytes = 0;
    std::size_t offsets[4] = {};
  };
  void add_plane(const ExrChunkChannel& channel);

  std::size_t width_ = 0;
  std::vector<Planes> layers_;
};

}  // namespace cuimg

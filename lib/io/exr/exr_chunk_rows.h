// SPDX-License-Identifier: Apache-2.0
// The layout of rows in chunks, one channel's samples after another's, for reading and writing.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "image/image.h"

namespace cuimg {

/// One channel of the file, in the order of its names.
struct ExrChunkChannel {
  int layer = -1;                ///< -1: the image does not have it.
  int index = 0, count = 1;      ///< Which of the layer's channels, and how many those are.
  std::size_t bytes = 0;         ///< Of a sample in the file: 2 or 4.
  std::size_t sample_bytes = 0;  ///< In the image. More than in the file: it is half there.
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
    bool are_halves[4] = {};  ///< And floats in the image.
    bool has_halves = false;
  };
  void add_plane(const ExrChunkChannel& channel);
  /// A layer of which the file has some channels as half.
  void read_halves(const Planes& planes, const std::byte* row, std::byte* pixels) const;
  void write_halves(const Planes& planes, const std::byte* pixels, std::byte* row) const;

  std::size_t width_ = 0;
  std::vector<Planes> layers_;
};

}  // namespace cuimg

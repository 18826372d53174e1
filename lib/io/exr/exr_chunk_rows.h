// SPDX-License-Identifier: Apache-2.0
// The layout of rows in chunks, where the samples of one channel follow those of another, for
// reading and writing.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "image/image.h"

namespace cuimg {

/// One channel of the file, in the order of names.
struct ExrChunkChannel {
  int layer = -1;  ///< -1: the image does not have it.
  /// The channel's index in the layer, and the layer's number of channels.
  int index = 0, count = 1;
  std::size_t bytes = 0;  ///< The size of a sample in the file: 2 or 4.
  /// The size in the image. If it is larger than in the file, the file has half.
  std::size_t sample_bytes = 0;
};

class ExrChunkRows {
 public:
  /// @param channels for each layer all of its channels, or none.
  /// @throws Error for chunks whose size the format cannot state.
  ExrChunkRows(std::span<const ExrChunkChannel> channels, int width, int chunk_rows);

  /// Copies a row of the file to row y of the image.
  void read(const std::byte* row, Image& image, int y) const;
  /// The opposite direction.
  void write(const Image& image, int y, std::byte* row) const;

  std::size_t row_bytes = 0;
  int chunk_rows = 1;
  int block_rows = 1;  ///< The share of a thread, in whole chunks.

 private:
  /// The positions of a layer's channels in a row of the file.
  struct Planes {
    int layer = 0, count = 0;
    std::size_t sample_bytes = 0;
    std::size_t offsets[4] = {};
    bool are_halves[4] = {};  ///< Halves in the file that are floats in the image.
    bool has_halves = false;
  };
  void add_plane(const ExrChunkChannel& channel);
  /// For a layer of which the file stores some channels as half.
  void read_halves(const Planes& planes, const std::byte* row, std::byte* pixels) const;
  void write_halves(const Planes& planes, const std::byte* pixels, std::byte* row) const;

  std::size_t width_ = 0;
  std::vector<Planes> layers_;
};

}  // namespace cuimg

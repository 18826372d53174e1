// SPDX-License-Identifier: Apache-2.0
// How ZIP chunks hold rows: what writing and reading them share.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/error.h"

namespace cuimg {

static_assert(std::endian::native == std::endian::little, "rows are stored as they lie in memory");

/// One channel of the file, in the order of its names.
struct ExrZipChannel {
  int layer = -1;          ///< -1: the image does not have it.
  std::size_t offset = 0;  ///< In the image's pixel.
  std::size_t bytes = 0;   ///< Of a sample: 2 or 4.
  std::size_t stride = 0;  ///< From pixel to pixel.
};

struct ExrZipRows {
  std::vector<ExrZipChannel> channels;
  std::size_t width = 0, row_bytes = 0;
  int chunk_rows = 1;
  int block_rows = 1;  ///< A thread's share: whole chunks.

  /// @throws Error for chunks whose size the format cannot state.
  ExrZipRows(std::vector<ExrZipChannel> of, int width_in, int chunk_rows_in)
      : channels(std::move(of)),
        width(static_cast<std::size_t>(width_in)),
        chunk_rows(chunk_rows_in) {
    for (const ExrZipChannel& channel : channels) row_bytes += channel.bytes * width;
    if (row_bytes * static_cast<std::size_t>(chunk_rows) > INT32_MAX)
      throw Error("exr", "a ZIP chunk of these rows would pass 2 GiB", "use --compression zips");
    // Chunks of one row are too little to hand out one by one.
    constexpr std::size_t worth_a_thread = std::size_t{256} << 10;
    const std::size_t rows = worth_a_thread / std::max<std::size_t>(1, row_bytes);
    block_rows = std::max(chunk_rows, static_cast<int>(std::min<std::size_t>(rows, 16)));
    block_rows -= block_rows % chunk_rows;
  }
};

}  // namespace cuimg

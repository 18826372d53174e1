// SPDX-License-Identifier: Apache-2.0
// Uses giflib on bytes in memory: reads records one after the other and reports giflib's errors as
// Error.
#pragma once

#include <gif_lib.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/byte_source.h"

namespace cuimg {

class GifReader {
 public:
  /// @throws Error if the header is malformed.
  explicit GifReader(std::shared_ptr<const ByteSource> source);
  GifReader(const GifReader&) = delete;
  GifReader& operator=(const GifReader&) = delete;

  /// The screen, and the image at which read_image() stopped.
  const GifFileType& state() const { return *gif_; }
  GifRecordType next_record();
  /// Reads a complete extension. @param blocks its sub-blocks, of at most 255 bytes each.
  /// @returns its label, 0xf9 for the next image's timing and transparency.
  int read_extension(std::vector<std::span<const std::byte>>& blocks);
  /// Reads the next image up to its pixels, for which read_row() or skip_pixels() must be called.
  void read_image();
  void read_row(std::span<std::uint8_t> row);
  /// @returns the number of bytes of LZW codes that it skipped.
  std::uint64_t skip_pixels();

  [[noreturn]] void fail(const std::string& problem) const;

 private:
  static int read_bytes(GifFileType* gif, GifByteType* to, int count);
  void check(int status) const;

  struct Close {
    void operator()(GifFileType* gif) const { DGifCloseFile(gif, nullptr); }
  };
  std::shared_ptr<const ByteSource> source_;
  std::size_t at_ = 0;
  bool past_end_ = false;
  std::unique_ptr<GifFileType, Close> gif_;
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// BMP's run-length codes RLE8 and RLE4, one row of palette indices at a time.
#pragma once

#include <cstdint>
#include <span>

#include "io/byte_reader.h"

namespace cuimg {

class BmpRuns {
 public:
  /// @param in at the position of the first code. @param bits 8 or 4.
  BmpRuns(ByteReader& in, unsigned bits) : in_(in), bits_(bits) {}

  /// The next row of the file. Pixels that no code covers have index 0. Codes may also cover the
  /// padding to a multiple of four bytes that unpacked rows have, as ImageMagick's do.
  /// @throws Error if a code passes the padding, or if the data ends before the picture.
  void read(std::span<std::uint8_t> row);

 private:
  void put_run(std::span<std::uint8_t> row, unsigned count, unsigned value);
  void put_literal(std::span<std::uint8_t> row, unsigned count);
  void put(std::span<std::uint8_t> row, unsigned value);
  void check_room(std::span<std::uint8_t> row, unsigned count) const;

  ByteReader& in_;
  unsigned bits_;
  std::size_t x_ = 0;
  unsigned rows_skipped_ = 0;  ///< Rows that a jump still has to skip.
  bool ended_ = false;
};

}  // namespace cuimg

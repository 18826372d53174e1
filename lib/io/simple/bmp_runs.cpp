// SPDX-License-Identifier: Apache-2.0
// The codes are pairs of bytes, a count and a value; a count of 0 is followed by an escape.
#include "io/simple/bmp_runs.h"

#include <algorithm>

#include "kernels/math/ceil_div.h"

namespace cuimg {

void BmpRuns::read(std::span<std::uint8_t> row) {
  std::ranges::fill(row, std::uint8_t{0});
  if (ended_) return;
  if (rows_skipped_ > 0) {
    --rows_skipped_;
    return;
  }
  enum Escape : unsigned { end_of_row, end_of_picture, jump };
  for (;;) {
    const unsigned count = in_.u8(), value = in_.u8();
    if (count > 0) {
      put_run(row, count, value);
    } else if (value == end_of_row) {
      x_ = 0;
      return;
    } else if (value == end_of_picture) {
      ended_ = true;
      return;
    } else if (value == jump) {
      const unsigned right = in_.u8(), down = in_.u8();
      check_room(row, right);
      x_ += right;
      if (down == 0) continue;
      rows_skipped_ = down - 1;
      return;
    } else {
      put_literal(row, value);
    }
  }
}

void BmpRuns::check_room(std::span<std::uint8_t> row, unsigned count) const {
  // Rows are padded to four bytes.
  const std::size_t room = round_up(row.size(), 32 / bits_);
  if (count > room - x_) in_.fail("a run exceeds its row");
}

void BmpRuns::put(std::span<std::uint8_t> row, unsigned value) {
  if (x_ < row.size()) row[x_] = static_cast<std::uint8_t>(value);
  ++x_;
}

// The two values of four bits alternate.
void BmpRuns::put_run(std::span<std::uint8_t> row, unsigned count, unsigned value) {
  check_room(row, count);
  for (unsigned i = 0; i < count; ++i)
    put(row, bits_ == 8 ? value : i % 2 == 0 ? value >> 4 : value & 15);
}

void BmpRuns::put_literal(std::span<std::uint8_t> row, unsigned count) {
  check_room(row, count);
  const unsigned bytes = (count * bits_ + 7) / 8;
  const auto values = in_.take(bytes + bytes % 2);
  for (unsigned i = 0; i < count; ++i) {
    const auto byte = std::to_integer<unsigned>(values[i * bits_ / 8]);
    put(row, bits_ == 8 ? byte : i % 2 == 0 ? byte >> 4 : byte & 15);
  }
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Moves pixels to the position that an orientation requires.
#include "io/tags/orientation.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "image/scratch.h"

namespace cuimg {
namespace {

// The address of stored pixel (x, y) is base + x * dx + y * dy.
struct Placement {
  std::ptrdiff_t base, dx, dy;
};

Placement placement(const PixelTurn& turn, std::ptrdiff_t pixel, std::ptrdiff_t stride,
                    std::ptrdiff_t w, std::ptrdiff_t h) {
  if (turn.transposes) std::swap(w, h);
  const std::ptrdiff_t across = turn.mirrors_columns ? -pixel : pixel;
  const std::ptrdiff_t down = turn.mirrors_rows ? -stride : stride;
  const std::ptrdiff_t base =
      (turn.mirrors_columns ? (w - 1) * pixel : 0) + (turn.mirrors_rows ? (h - 1) * stride : 0);
  return turn.transposes ? Placement{base, down, across} : Placement{base, across, down};
}

// Each orientation as a sequence of turns.
constexpr PixelTurn turns[] = {{false, false, false}, {false, true, false}, {false, true, true},
                               {false, false, true},  {true, false, false}, {true, true, false},
                               {true, true, true},    {true, false, true}};

}  // namespace

PixelTurn Orientation::turn() const { return turns[exif - 1]; }

Orientation both(Orientation first, Orientation second) {
  PixelTurn result = first.turn();
  const PixelTurn then = second.turn();
  if (then.transposes) std::swap(result.mirrors_columns, result.mirrors_rows);
  result.transposes ^= then.transposes;
  result.mirrors_columns ^= then.mirrors_columns;
  result.mirrors_rows ^= then.mirrors_rows;
  const auto* const found = std::ranges::find(turns, result);
  return {static_cast<int>(found - std::begin(turns)) + 1};
}

TurnedRows::TurnedRows(Image& image, Orientation orientation, int width, int height)
    : image_(image),
      orientation_(orientation),
      width_(width),
      height_(height),
      row_bytes_(image.spec().layer(0).pixel_bytes() * static_cast<std::size_t>(width)) {
  if (!orientation_.transposes()) return;
  constexpr std::size_t most_bytes = std::size_t{1} << 24;
  const std::size_t bytes =
      std::min<std::size_t>(most_bytes, Scratch::memory_bytes().value_or(most_bytes * 8) / 8);
  const std::size_t rows =
      std::clamp<std::size_t>(bytes / row_bytes_, 1, static_cast<std::size_t>(height));
  band_.resize(rows * row_bytes_);
}

void TurnedRows::add(int rows, const std::byte* band, std::size_t stride) {
  if (band_.empty()) {
    return place(rows, band, stride);
  }
  for (int y = 0; y < rows; ++y, band += stride) {
    std::memcpy(&band_[static_cast<std::size_t>(waiting_) * row_bytes_], band, row_bytes_);
    if (static_cast<std::size_t>(++waiting_) * row_bytes_ == band_.size()) finish();
  }
}

void TurnedRows::finish() {
  if (waiting_ > 0) place(std::exchange(waiting_, 0), band_.data(), row_bytes_);
}

void TurnedRows::place(int rows, const std::byte* band, std::size_t band_stride) {
  const std::size_t pixel = image_.spec().layer(0).pixel_bytes();
  const std::size_t stride = image_.row_bytes(0);
  const Placement to = placement(orientation_.turn(), static_cast<std::ptrdiff_t>(pixel),
                                 static_cast<std::ptrdiff_t>(stride), width_, height_);
  std::byte* const target = image_.row(0, image_.spec().data_window.y) + to.base + placed_ * to.dy;
  placed_ += rows;
  if (orientation_.exif == 1 || orientation_.exif == 4) {
    for (int y = 0; y < rows; ++y)
      std::memcpy(target + y * to.dy, band + static_cast<std::size_t>(y) * band_stride, stride);
    return;
  }
  const auto run = [&, width = width_]<std::size_t Bytes>() {
    const auto move = [&](int x, int y) {
      std::memcpy(
          target + x * to.dx + y * to.dy,
          band + static_cast<std::size_t>(y) * band_stride + static_cast<std::size_t>(x) * Bytes,
          Bytes);
    };
    // The inner loop runs along the target's rows: scattered reads of a small band remain in the
    // cache.
    if (orientation_.transposes()) {
      for (int x = 0; x < width; ++x)
        for (int y = 0; y < rows; ++y) move(x, y);
    } else {
      for (int y = 0; y < rows; ++y)
        for (int x = 0; x < width; ++x) move(x, y);
    }
  };
  const auto run_if = [&]<std::size_t... bytes>(std::index_sequence<bytes...>) {
    (void)((pixel == bytes && (run.template operator()<bytes>(), true)) || ...);
  };
  run_if(std::index_sequence<1, 2, 3, 4, 6, 8, 12, 16>());
}

}  // namespace cuimg

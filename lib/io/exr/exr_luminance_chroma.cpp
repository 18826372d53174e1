// SPDX-License-Identifier: Apache-2.0
// Chroma is stored at every second pixel of every second row. Beyond the edges the filters see the
// nearest row or column that has it.
#include "io/exr/exr_luminance_chroma.h"

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfStandardAttributes.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace cuimg {
namespace {

using Imf::RgbaYca::N;   // taps of a filter
using Imf::RgbaYca::N2;  // of them on one side

static_assert(std::is_trivially_copyable_v<Imf::Rgba> && sizeof(Imf::Rgba) == 4 * 2);

// A row is finished together with its neighbours, each of which sees N2 rows on both sides.
constexpr int rows_below = N2 + 1;
constexpr int ring_rows = N + 2;

}  // namespace

ExrLuminanceChroma::ExrLuminanceChroma(const Imf::Header& header, Image& image, int layer)
    : image_(image),
      layer_(layer),
      x_(image.spec().data_window.x),
      y_(image.spec().data_window.y),
      width_(image.spec().data_window.width),
      height_(image.spec().data_window.height),
      channels_(image.spec().layer(layer).channels.size()),
      subsampled_(header.channels().findChannel("RY")->xSampling == 2),
      weights_(luminance_weights(Imf::hasChromaticities(header) ? Imf::chromaticities(header)
                                                                : Imf::Chromaticities())) {
  const auto width = static_cast<std::size_t>(width_);
  if (subsampled_) filtered_.assign(ring_rows, Row(width));
  for (Row& row : rgb_) row.resize(width);
  padded_.resize(width + N - 1);
}

void ExrLuminanceChroma::add_to(Imf::FrameBuffer& buffer) const {
  constexpr std::array<const char*, 4> names = {"RY", "Y", "BY", "A"};
  const Imath::Box2i window(Imath::V2i(x_, y_), Imath::V2i(x_ + width_ - 1, y_ + height_ - 1));
  const std::size_t pixel = 2 * channels_;
  for (std::size_t i = 0; i < channels_; ++i) {
    const int step = subsampled_ && (i == 0 || i == 2) ? 2 : 1;
    buffer.insert(
        names[i],
        Imf::Slice::Make(Imf::HALF, image_.row(layer_, y_) + 2 * i, window,
                         pixel * static_cast<std::size_t>(step),
                         image_.row_bytes(layer_) * static_cast<std::size_t>(step), step, step));
  }
}

int ExrLuminanceChroma::convert(int rows) {
  if (!subsampled_) {
    for (; finished_ < rows; ++finished_) finish(finished_);
    return finished_;
  }
  for (; taken_ < rows; ++taken_) {
    take(taken_);
    while (finished_ <= taken_ - rows_below) finish(finished_++);
  }
  if (rows == height_)
    while (finished_ < height_) finish(finished_++);
  return finished_;
}

// The image's row, without alpha opaque.
void ExrLuminanceChroma::unpack(int row, Imf::Rgba* target) const {
  const std::byte* from = image_.row(layer_, y_ + row);
  for (int x = 0; x < width_; ++x, from += 2 * channels_) {
    target[x] = Imf::Rgba(0, 0, 0, 1);
    std::memcpy(&target[x], from, 2 * channels_);
  }
}

void ExrLuminanceChroma::take(int row) {
  Row& result = filtered_[static_cast<std::size_t>(row % ring_rows)];
  if ((y_ + row) % 2 != 0) return unpack(row, result.data());
  unpack(row, padded_.data() + N2);
  const std::size_t last_with_chroma = static_cast<std::size_t>(N2 + width_ - 2);
  std::fill_n(padded_.begin(), N2, padded_[N2]);
  std::fill(padded_.begin() + N2 + width_, padded_.end(), padded_[last_with_chroma]);
  fill_chroma_across(width_, padded_.data(), result.data());
}

// For a row beyond the edge, the nearest row that has chroma.
const ExrLuminanceChroma::Row& ExrLuminanceChroma::filtered(int row) const {
  const int there = row < 0 ? 0 : row >= height_ ? height_ - 2 : row;
  return filtered_[static_cast<std::size_t>(there % ring_rows)];
}

void ExrLuminanceChroma::make_rgb(int row, Row& rgb) const {
  const Row* yca = &filtered(row);
  if ((y_ + row) % 2 != 0) {
    std::array<const Imf::Rgba*, N> rows;
    for (int i = 0; i < N; ++i) rows[static_cast<std::size_t>(i)] = filtered(row - N2 + i).data();
    fill_chroma_down(width_, rows, rgb.data());
    yca = &rgb;
  }
  chroma_to_rgb(weights_, width_, yca->data(), rgb.data());
}

void ExrLuminanceChroma::finish(int row) {
  if (subsampled_) {
    std::rotate(rgb_.begin(), rgb_.begin() + 1, rgb_.end());
    if (row == 0)
      for (int i = 0; i < 2; ++i) make_rgb(i - 1, rgb_[static_cast<std::size_t>(i)]);
    make_rgb(row + 1, rgb_[2]);
    const std::array<const Imf::Rgba*, 3> rows = {rgb_[0].data(), rgb_[1].data(), rgb_[2].data()};
    limit_saturation(weights_, width_, rows, padded_.data());
  } else {
    unpack(row, rgb_[0].data());
    chroma_to_rgb(weights_, width_, rgb_[0].data(), padded_.data());
  }
  std::byte* to = image_.row(layer_, y_ + row);
  for (int x = 0; x < width_; ++x, to += 2 * channels_)
    std::memcpy(to, &padded_[static_cast<std::size_t>(x)], 2 * channels_);
}

}  // namespace cuimg

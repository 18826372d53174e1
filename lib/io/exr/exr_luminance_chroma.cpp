// SPDX-License-Identifier: Apache-2.0
// Chroma is stored at every second pixel of every second row. Beyond the edges the filters use the
// nearest row or column that has chroma.
#include "io/exr/exr_luminance_chroma.h"

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfRgbaYca.h>
#include <OpenEXR/ImfStandardAttributes.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "kernels/math/half.h"

namespace cuimg {
namespace {

using Imf::Rgba;
using Imf::RgbaYca::N;   // taps of a filter
using Imf::RgbaYca::N2;  // of them on one side

static_assert(std::is_trivially_copyable_v<Rgba> && sizeof(Rgba) == 4 * 2);

// A row is finished together with its neighbours, each of which needs N2 rows on both sides.
constexpr int rows_below = N2 + 1;
constexpr int ring_rows = N + 2;

// The following code repeats OpenEXR's arithmetic, operation by operation. The library fuses some
// operations if it is compiled for a processor that supports this, as Debian's is for 64-bit ARM,
// and then one pixel in ten thousand differs.

// Like every float that the project stores: a NaN from arithmetic does not depend on the processor.
half stored(float value) { return half(half::FromBits, float_to_half(value).bits); }

// The chroma between samples is a weighted sum of samples at odd distances, 13 to 1 and 1 to 13.
constexpr std::array<float, 7> taps = {0.002128f, -0.007540f, 0.019597f, -0.043159f,
                                       0.087929f, -0.186077f, 0.627123f};

template <class SampleAt>
half between(const SampleAt& sample_at) {
  float sum = sample_at(-N2) * taps[0];
  for (std::size_t i = 1; i < 2 * taps.size(); ++i) {
    const std::size_t tap = i < taps.size() ? i : 2 * taps.size() - 1 - i;
    sum += sample_at(2 * static_cast<int>(i) - N2) * taps[tap];
  }
  return stored(sum);
}

float largest(const Rgba& p) { return std::max<float>(p.r, std::max<float>(p.g, p.b)); }

float saturation(const Rgba& p) {
  const float high = largest(p), low = std::min<float>(p.r, std::min<float>(p.g, p.b));
  return high > 0 ? 1 - low / high : 0;
}

float luminance(const LuminanceWeights& weights, const Rgba& p) {
  return p.r * weights[0] + p.g * weights[1] + p.b * weights[2];
}

// Closer to grey by `factor`, with the same brightness.
Rgba desaturated(const LuminanceWeights& weights, const Rgba& p, float factor) {
  const float high = largest(p);
  const auto nearer = [&](half value) {
    return stored(std::max(high - (high - value) * factor, 0.0f));
  };
  Rgba result(nearer(p.r), nearer(p.g), nearer(p.b), p.a);
  const float before = luminance(weights, p), after = luminance(weights, result);
  if (after > 0)
    for (half* value : {&result.r, &result.g, &result.b})
      *value = stored(*value * (before / after));
  return result;
}

LuminanceWeights luminance_weights(const Imf::Header& header) {
  const Imf::Chromaticities c =
      Imf::hasChromaticities(header) ? Imf::chromaticities(header) : Imf::Chromaticities();
  Imf::RGBtoXYZ(c, 1);  // Throws for primaries that do not define colours.
  const float x = c.white.x / c.white.y, z = (1 - c.white.x - c.white.y) / c.white.y;
  // Cramer's rule gives the share of each primary in white; `d` is the determinant.
  const float d = c.red.x * (c.blue.y - c.green.y) + c.blue.x * (c.green.y - c.red.y) +
                  c.green.x * (c.red.y - c.blue.y);
  const auto column = [&](float y) { return (y - 1) + y * (x + z); };
  const float red =
      x * (c.blue.y - c.green.y) - c.green.x * column(c.blue.y) + c.blue.x * column(c.green.y);
  const float green =
      x * (c.red.y - c.blue.y) + c.red.x * column(c.blue.y) - c.blue.x * column(c.red.y);
  const float blue =
      x * (c.green.y - c.red.y) - c.red.x * column(c.green.y) + c.green.x * column(c.red.y);
  const LuminanceWeights y = {red / d * c.red.y, green / d * c.green.y, blue / d * c.blue.y};
  const float sum = y[0] + y[1] + y[2];
  return {y[0] / sum, y[1] / sum, y[2] / sum};
}

// Fills in chroma at every odd pixel. `from` has N2 more pixels at both ends.
void fill_chroma_across(int width, const Rgba* from, Rgba* to) {
  from += N2;
  for (int x = 0; x < width; ++x) {
    to[x] = from[x];
    if (x % 2 == 0) continue;
    to[x].r = between([&](int distance) -> float { return from[x + distance].r; });
    to[x].b = between([&](int distance) -> float { return from[x + distance].b; });
  }
}

// The chroma of a row without chroma, from the rows around it; rows[N2] is the row itself.
void fill_chroma_down(int width, const std::array<const Rgba*, N>& rows, Rgba* to) {
  const auto row_at = [&](int distance) { return rows[static_cast<std::size_t>(N2 + distance)]; };
  for (int x = 0; x < width; ++x) {
    to[x] = row_at(0)[x];
    to[x].r = between([&](int distance) -> float { return row_at(distance)[x].r; });
    to[x].b = between([&](int distance) -> float { return row_at(distance)[x].b; });
  }
}

// Converts RY, Y and BY, which are stored in R, G and B, to RGB; also in place.
void chroma_to_rgb(const LuminanceWeights& weights, int width, const Rgba* from, Rgba* to) {
  for (int x = 0; x < width; ++x) {
    const Rgba in = from[x];
    if (in.r == 0 && in.b == 0) {  // Grey remains exactly grey.
      to[x] = Rgba(in.g, in.g, in.g, in.a);
      continue;
    }
    const float y = in.g, r = (in.r + 1) * y, b = (in.b + 1) * y;
    const float g = (y - r * weights[0] - b * weights[2]) / weights[1];
    to[x] = Rgba(stored(r), stored(g), stored(b), in.a);
  }
}

// Limits the saturation of the middle row's pixels by that of their diagonal neighbours.
void limit_saturation(const LuminanceWeights& weights, int width,
                      const std::array<const Rgba*, 3>& rows, Rgba* to) {
  for (int x = 0; x < width; ++x) {
    const int left = std::max(x - 1, 0), right = std::min(x + 1, width - 1);
    const float mean =
        std::min(1.0f, 0.25f * (saturation(rows[0][left]) + saturation(rows[0][right]) +
                                saturation(rows[2][left]) + saturation(rows[2][right])));
    const float own = saturation(rows[1][x]);
    const float most = std::min(1.0f, 1 - (1 - mean) * 0.25f);
    to[x] = own > mean && own > most ? desaturated(weights, rows[1][x], most / own) : rows[1][x];
  }
}

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
      weights_(luminance_weights(header)) {
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

// The image's row; without alpha it is opaque.
void ExrLuminanceChroma::unpack(int row, Rgba* target) const {
  const std::byte* from = image_.row(layer_, y_ + row);
  for (int x = 0; x < width_; ++x, from += 2 * channels_) {
    target[x] = Rgba(0, 0, 0, 1);
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
    std::array<const Rgba*, N> rows;
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
    const std::array<const Rgba*, 3> rows = {rgb_[0].data(), rgb_[1].data(), rgb_[2].data()};
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

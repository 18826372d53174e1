// SPDX-License-Identifier: Apache-2.0
#include "io/tags/thumbnail.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/instruction_set.h"

namespace cuimg {
namespace {

constexpr float one = 1 << 20;  // the light 1; 2^44 such pixels fit into a sum

// The rows whose values are added up as 32-bit integers.
constexpr int most_rows_together = 1 << 11;

// NaN is black, light above 1 is white.
std::uint32_t whole_number(float light) {
  const float inside = light > 0 ? std::min(light, 1.0f) : 0.0f;
  // Conversions to signed integers are vectorised.
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(inside * one + 0.5f));
}

// Codes with an unknown curve are averaged as if they were sRGB's, and converted back in the same
// way.
Transfer transfer_of(const ColorEncoding& color, PixelType type) {
  switch (color.curve) {
    case Curve::gamma:
      return {TransferCurve::gamma, color.gamma};
    case Curve::pq:
      return {TransferCurve::pq};
    case Curve::hlg:
      return {TransferCurve::hlg};
    case Curve::linear:
      return {};
    default:
      return {is_floating(type) ? TransferCurve::linear : TransferCurve::srgb};
  }
}

}  // namespace

ThumbnailSize thumbnail_size(const Spec& spec, ThumbnailSize most) {
  const Rect size = fitted_size(spec.data_window, spec.pixel_aspect, most.width, most.height, 1);
  return {size.width, size.height};
}

Thumbnail::Thumbnail(const Spec& spec, ThumbnailSize size)
    : size_(size),
      width_(spec.data_window.width),
      height_(spec.data_window.height),
      layer_(std::max(0, spec.first_color())) {
  const LayerSpec& layer = spec.layer(layer_);
  const int alpha = layer.alpha_index();
  format_ = {layer.type,
             layer.channel_count(),
             {transfer_of(spec.color, layer.type), alpha,
              alpha >= 0 && !spec.color.premultiplied && spec.color.alpha_covers}};
  for (const std::string_view name : {"R", "G", "B"})
    if (const int found = layer.channel_index(name); found >= 0)
      channel_.push_back(static_cast<std::size_t>(found));
  if (channel_.size() != 3) channel_.assign(1, 0);
  colors_ = channel_.size();
  if (alpha >= 0 && spec.color.alpha_covers) channel_.push_back(static_cast<std::size_t>(alpha));
  sums_.resize(channel_.size() * static_cast<std::size_t>(size.width) *
               static_cast<std::size_t>(size.height));
  if (layer.type != PixelType::u8 || alpha >= 0) return;
  std::array<std::uint8_t, CodeWords::codes> all;
  std::array<float, CodeWords::codes> light;
  for (std::size_t code = 0; code < all.size(); ++code) all[code] = static_cast<std::uint8_t>(code);
  rows_to_working({PixelType::u8, 1, format_.encoding}, all.data(), light.data(), all.size());
  std::uint32_t values[CodeWords::codes];
  std::ranges::transform(light, values, whole_number);
  table_.emplace(values);
}

// A column of the image is size_.width units wide, one of the thumbnail width_ units: so both ends
// of every overlap are integers.
template <std::size_t planes>
void Thumbnail::sum_columns(const std::uint32_t* values, Sums& sums) const {
  const auto channels = static_cast<std::int64_t>(format_.channels);
  const auto value = [&](std::int64_t x, std::size_t plane) -> std::uint64_t {
    return values[static_cast<std::size_t>(x * channels) + channel_[plane]];
  };
  const std::int64_t parts = size_.width;
  std::uint64_t* to = sums.data();
  for (std::int64_t column = 0; column < parts; ++column) {
    const std::int64_t from = column * width_, end = from + width_;
    const std::int64_t first = from / parts, last = (end - 1) / parts;
    std::array<std::uint64_t, planes> sum = {};
    // The inner columns are covered completely: their light is added up and weighted once.
    for (std::int64_t x = first + 1; x < last; ++x)
      for (std::size_t plane = 0; plane < planes; ++plane) sum[plane] += value(x, plane);
    const std::int64_t before = std::min((first + 1) * parts, end) - from;
    const std::int64_t after = first == last ? 0 : end - last * parts;
    for (std::size_t plane = 0; plane < planes; ++plane)
      *to++ = static_cast<std::uint64_t>(parts) * sum[plane] +
              static_cast<std::uint64_t>(before) * value(first, plane) +
              static_cast<std::uint64_t>(after) * value(last, plane);
  }
}

void Thumbnail::sum_planes(const std::uint32_t* values, Sums& sums) const {
  switch (channel_.size()) {
    case 1:
      return sum_columns<1>(values, sums);
    case 2:
      return sum_columns<2>(values, sums);
    case 3:
      return sum_columns<3>(values, sums);
    default:
      return sum_columns<4>(values, sums);
  }
}

void Thumbnail::add_row(const Image& image, int row, RowValues& values) const {
  const std::byte* const stored = image.row(layer_, image.spec().data_window.y + row);
  const std::size_t count = values.sums.size();
  std::uint32_t* const sums = values.sums.data();
  if (table_) {
    values.words.resize(count);
    std::uint32_t* const words = values.words.data();
    table_->look_up(reinterpret_cast<const std::uint8_t*>(stored), words, count);
    return with_best_instructions([=] {
      for (std::size_t i = 0; i < count; ++i) sums[i] += words[i];
    });
  }
  values.light.resize(count);
  float* const light = values.light.data();
  rows_to_working(format_, stored, light, static_cast<std::size_t>(width_));
  with_best_instructions([=] {
    for (std::size_t i = 0; i < count; ++i) sums[i] += whole_number(light[i]);
  });
}

// The number of rows from this one on that lie within one row of the thumbnail.
int Thumbnail::rows_within(int row) const {
  const std::int64_t parts = size_.height, y = row * parts / height_;
  const auto end = static_cast<int>((y + 1) * height_ / parts);
  return std::min(end - row, most_rows_together);
}

// Adds the share of rows that begin with `row` to each row of the thumbnail that they overlap:
// several rows only overlap one.
void Thumbnail::merge(int row, const Sums& sums) {
  const std::int64_t parts = size_.height, from = row * parts, end = from + parts;
  const std::lock_guard lock(mutex_);
  for (std::int64_t y = from / height_; y <= (end - 1) / height_; ++y) {
    const auto weight =
        static_cast<std::uint64_t>(std::min(end, (y + 1) * height_) - std::max(from, y * height_));
    std::uint64_t* to = sums_.data() + static_cast<std::size_t>(y) * sums.size();
    for (const std::uint64_t sum : sums) *to++ += weight * sum;
  }
}

void Thumbnail::add(const Image& image, int first, int last) {
  RowValues values;
  values.sums.resize(static_cast<std::size_t>(width_) * static_cast<std::size_t>(format_.channels));
  Sums sums(channel_.size() * static_cast<std::size_t>(size_.width));
  for (int row = first; row < last;) {
    const int end = std::min(last, row + std::max(1, rows_within(row)));
    std::ranges::fill(values.sums, 0u);
    for (int next = row; next < end; ++next) add_row(image, next, values);
    sum_planes(values.sums.data(), sums);
    merge(row, sums);
    row = end;
  }
}

std::vector<std::byte> Thumbnail::codes(std::size_t plane, Encoding encoding) const {
  const auto area = static_cast<std::uint64_t>(width_ * height_);
  std::vector<float> light;
  for (std::size_t i = plane; i < sums_.size(); i += channel_.size())
    light.push_back(static_cast<float>((sums_[i] + area / 2) / area) / one);
  std::vector<std::byte> made(light.size());
  working_to_rows({PixelType::u8, 1, encoding}, light.data(), made.data(), light.size());
  return made;
}

std::vector<std::byte> Thumbnail::rgba() const {
  const std::size_t pixels = sums_.size() / channel_.size();
  std::vector<std::byte> result(4 * pixels, std::byte{255});
  const auto put = [&](std::size_t plane, std::size_t channel, TransferCurve curve) {
    const std::vector<std::byte> from = codes(plane, {{curve}});
    for (std::size_t i = 0; i < pixels; ++i) result[4 * i + channel] = from[i];
  };
  for (std::size_t c = 0; c < 3; ++c) put(colors_ == 1 ? 0 : c, c, TransferCurve::srgb);
  if (channel_.size() > colors_) put(colors_, 3, TransferCurve::linear);
  return result;
}

}  // namespace cuimg

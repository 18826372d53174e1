// SPDX-License-Identifier: Apache-2.0
#include "common/picture.h"

#include <algorithm>
#include <cstring>

#include "io/codec.h"

namespace cuimg::samples {
namespace {

void write(const std::string& path, int width, int height, LayerSpec layer, ColorEncoding color,
           const void* pixels) {
  Spec spec;
  spec.data_window = spec.display_window = {0, 0, width, height};
  spec.layers = {std::move(layer)};
  spec.color = color;
  Image image(spec);
  const std::size_t row_bytes = image.row_bytes(0);
  for (int y = 0; y < height; ++y)
    std::memcpy(image.row(0, y),
                static_cast<const std::byte*>(pixels) + static_cast<std::size_t>(y) * row_bytes,
                row_bytes);
  write_image(path, image, codec_for_output(path, ""));
}

}  // namespace

void write_rgba8(const std::string& path, int width, int height,
                 const std::vector<std::uint8_t>& rgba) {
  write(path, width, height, {"", {"R", "G", "B", "A"}, PixelType::u8},
        {Curve::srgb, 1.0f, false, {}}, rgba.data());
}

void write_rgb_float(const std::string& path, int width, int height,
                     const std::vector<float>& rgb) {
  write(path, width, height, {"", {"R", "G", "B"}, PixelType::f32}, {Curve::linear, 1.0f, true, {}},
        rgb.data());
}

std::array<double, 3> ramp(double share) {
  using Rgb = std::array<double, 3>;
  static constexpr std::array<Rgb, 5> stops = {
      {{48, 18, 84}, {52, 84, 140}, {32, 144, 140}, {106, 200, 98}, {250, 230, 50}}};
  const double at = std::clamp(share, 0.0, 1.0) * (stops.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  Rgb color;
  for (std::size_t c = 0; c < 3; ++c)
    color[c] =
        stops[low][c] + (at - static_cast<double>(low)) * (stops[low + 1][c] - stops[low][c]);
  return color;
}

void Sheet::add(const std::uint8_t* rgba) {
  pictures_.emplace_back(rgba, rgba + static_cast<std::ptrdiff_t>(4) * width_ * height_);
}

void Sheet::add(const float* values) {
  auto& picture = pictures_.emplace_back();
  for (int i = 0; i < width_ * height_; ++i) {
    for (double channel : ramp(values[i]))
      picture.push_back(static_cast<std::uint8_t>(channel + 0.5));
    picture.push_back(255);
  }
}

void Sheet::write(const std::string& path) const {
  constexpr int gap = 6;
  const int count = static_cast<int>(pictures_.size()), across = std::min(count, columns_);
  const int sheet_width = across * (width_ + gap) + gap;
  const int sheet_height = (count + columns_ - 1) / columns_ * (height_ + gap) + gap;
  std::vector<std::uint8_t> sheet(static_cast<std::size_t>(4) * sheet_width * sheet_height, 128);
  for (std::size_t i = 3; i < sheet.size(); i += 4) sheet[i] = 255;
  for (int i = 0; i < count; ++i)
    for (int y = 0; y < height_; ++y) {
      const int left = gap + i % columns_ * (width_ + gap);
      const int row = gap + i / columns_ * (height_ + gap) + y;
      std::memcpy(sheet.data() + static_cast<std::ptrdiff_t>(4) * (row * sheet_width + left),
                  pictures_[static_cast<std::size_t>(i)].data() +
                      static_cast<std::ptrdiff_t>(4) * y * width_,
                  static_cast<std::size_t>(4) * static_cast<std::size_t>(width_));
    }
  write_rgba8(path, sheet_width, sheet_height, sheet);
}

}  // namespace cuimg::samples

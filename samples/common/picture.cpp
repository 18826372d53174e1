// SPDX-License-Identifier: Apache-2.0
#include "common/picture.h"

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

}  // namespace cuimg::samples

// SPDX-License-Identifier: Apache-2.0
#include "compare/report/thumbnail.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/bytes.h"
#include "image/row_convert.h"
#include "io/codec.h"
#include "kernels/color/encoding.h"

namespace cuimg {
namespace {

constexpr int most_width = 128, most_height = 96;
// Samples per thumbnail pixel in a row and in a column. Reading every pixel of a large picture
// would take longer than everything else that a passed pair needs.
constexpr int samples = 4;
constexpr float grey = 0.5f;
constexpr std::array<float, 3> not_a_number = {1, 0, 1};

// Reads one pixel as display values from 0 to 1.
class PixelReader {
 public:
  PixelReader(const Image& image, int layer)
      : image_(image),
        layer_(layer),
        spec_(image.spec().layer(layer)),
        is_light_(image.spec().color.curve == Curve::linear ||
                  (image.spec().color.curve == Curve::raw && is_floating(spec_.type))),
        is_premultiplied_(image.spec().color.premultiplied),
        alpha_(spec_.alpha_index()) {
    const bool is_rgb = spec_.channel_index("R") >= 0;
    if (is_rgb)
      for (std::size_t c = 0; c < 3; ++c)
        channels_[c] = std::max(0, spec_.channel_index(std::string_view("RGB").substr(c, 1)));
  }

  std::array<float, 3> operator()(int x, int y) const {
    const Rect& window = image_.spec().data_window;
    const std::byte* pixel =
        image_.row(layer_, window.y + y) + static_cast<std::size_t>(x) * spec_.pixel_bytes();
    const float alpha = alpha_ < 0 ? 1.0f : std::clamp(value(pixel, alpha_), 0.0f, 1.0f);
    std::array<float, 3> color;
    for (std::size_t c = 0; c < 3; ++c) {
      const float stored = value(pixel, channels_[c]);
      if (std::isnan(stored)) return not_a_number;
      const float shown = std::clamp(is_light_ ? srgb_encode(stored) : stored, 0.0f, 1.0f);
      const float weight = is_premultiplied_ ? 1.0f : alpha;
      color[c] = std::min(shown * weight + (1 - alpha) * grey, 1.0f);
    }
    return color;
  }

 private:
  float value(const std::byte* pixel, int channel) const {
    return stored_value(pixel + static_cast<std::size_t>(channel) * bytes_of(spec_.type),
                        spec_.type);
  }

  const Image& image_;
  const int layer_;
  const LayerSpec& spec_;
  const bool is_light_, is_premultiplied_;
  const int alpha_;
  std::array<int, 3> channels_ = {0, 0, 0};
};

Image shrunk(const Image& image) {
  const Rect& window = image.spec().data_window;
  const Rect size = fitted_size(window, 1, most_width, most_height, 1);
  Spec spec;
  spec.data_window = spec.display_window = size;
  spec.layers = {{"", {"R", "G", "B"}, PixelType::u8}};
  spec.color = {Curve::srgb, 1.0f, false, {}};
  Image small(spec);
  const PixelReader read(image, std::max(0, image.spec().first_color()));
  const auto place = [](int at, int part, int sides, int length) {
    return static_cast<int>((static_cast<std::int64_t>(at) * samples + part) * length /
                            (static_cast<std::int64_t>(sides) * samples));
  };
  for (int y = 0; y < size.height; ++y) {
    std::byte* to = small.row(0, y);
    for (int x = 0; x < size.width; ++x) {
      std::array<float, 3> sum = {};
      for (int j = 0; j < samples; ++j)
        for (int i = 0; i < samples; ++i) {
          const auto color =
              read(place(x, i, size.width, window.width), place(y, j, size.height, window.height));
          for (std::size_t c = 0; c < 3; ++c) sum[c] += color[c];
        }
      for (const float total : sum)
        *to++ = static_cast<std::byte>(std::lround(total / (samples * samples) * 255));
    }
  }
  return small;
}

}  // namespace

std::string thumbnail(const Image& image) {
  if (image.spec().layers.empty() || image.spec().data_window.empty()) return {};
  RowProgress ready;
  ready.finish();
  MemorySink jpeg;
  EncodeOptions options;
  options.quality = 80;
  options.threads = 1;
  codec_named("jpeg")->encode(shrunk(image), options, ready, jpeg);
  return "data:image/jpeg;base64," + base64(jpeg.bytes());
}

}  // namespace cuimg

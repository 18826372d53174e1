// SPDX-License-Identifier: Apache-2.0
#include "compare/metrics/display_picture.h"

#include <algorithm>

#include "base/instruction_set.h"
#include "kernels/math/math.h"
#include "stages/pass/conversion.h"

namespace cuimg {
namespace {

// Light that no picture means; its products and squares with a filter's weights are still finite.
constexpr float brightest = 0x1p60f;

}  // namespace

DisplayPicture display_picture(const Image& image, int layer,
                               const std::array<float, 3>& background, const Queue& queue) {
  const Rect& window = image.spec().data_window;
  Spec shown = image.spec();
  shown.layers = {{"", {"R", "G", "B"}, PixelType::f32}};
  shown.color = {};
  const auto conversion = make_conversion(image.spec(), shown, {layer}, background, false);
  DisplayPicture picture{window.width, window.height, {}};
  picture.rgb.resize(3 * static_cast<std::size_t>(window.pixels()));
  const Frame source = Frame::over_image(image, layer);
  constexpr int band = 32;
  const Queue serial = queue.serial();
  queue.for_each((window.height + band - 1) / band, [&](int item) {
    const int top = item * band, rows = std::min(band, window.height - top);
    float* first = picture.rgb.data() +
                   3 * static_cast<std::size_t>(top) * static_cast<std::size_t>(window.width);
    const FrameFormat format = {{window.x, window.y + top, window.width, rows}, PixelType::f32, 3};
    FrameFormat host = format;
    host.storage = Storage::host;
    const Frame target = Frame::over_host(
        host, reinterpret_cast<std::byte*>(first),
        static_cast<std::ptrdiff_t>(window.width) * 3 * static_cast<std::ptrdiff_t>(sizeof(float)));
    conversion->run(serial, 0, {&source, 1}, target);
    const std::size_t count =
        3 * static_cast<std::size_t>(window.width) * static_cast<std::size_t>(rows);
    with_best_instructions([=] {
      for (std::size_t i = 0; i < count; ++i) {
        const float light = clamp(first[i], -brightest, brightest);
        first[i] = select(is_nan(first[i]), 0.0f, light);
      }
    });
  });
  return picture;
}

}  // namespace cuimg

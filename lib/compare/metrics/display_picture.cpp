// SPDX-License-Identifier: Apache-2.0
#include "compare/metrics/display_picture.h"

#include <algorithm>
#include <memory>

#include "base/instruction_set.h"
#include "device/on_device.h"
#include "kernels/compare/flip_color.h"
#include "kernels/math/ceil_div.h"
#include "stages/pass/conversion.h"

namespace cuimg {
namespace {

std::unique_ptr<Operation> conversion_to_light(const Spec& spec, int layer,
                                               const std::array<float, 3>& background) {
  Spec shown = spec;
  shown.layers = {{"", {"R", "G", "B"}, PixelType::f32}};
  shown.color = {};
  return make_conversion(spec, shown, {layer}, background, false);
}

DisplayPicture picture_on_cpu(const Image& image, int layer, const std::array<float, 3>& background,
                              const Queue& queue) {
  const Rect& window = image.spec().data_window;
  const DisplayRows source(image, layer, background);
  DisplayPicture picture{window.width, window.height, {}};
  picture.rgb.resize(3 * static_cast<std::size_t>(window.pixels()));
  constexpr int band = 32;
  const Queue serial = queue.serial();
  queue.for_each(ceil_div(window.height, band), [&](int item) {
    const int top = item * band;
    source.make(top, std::min(band, window.height - top), serial,
                picture.rgb.data() +
                    3 * static_cast<std::size_t>(top) * static_cast<std::size_t>(window.width));
  });
  return picture;
}

Frame picture_on_card(const Spec& spec, int layer, const Frame& source,
                      const std::array<float, 3>& background, const Queue& queue) {
  const auto conversion = conversion_to_light(spec, layer, background);
  const Frame target = queue.allocate({spec.data_window, PixelType::f32, 3, Storage::pitched});
  conversion->run(queue, 0, {&source, 1}, target);
  return target;
}

}  // namespace

DisplayRows::DisplayRows(const Image& image, int layer, const std::array<float, 3>& background)
    : image_(image),
      source_(Frame::over_image(image, layer)),
      conversion_(conversion_to_light(image.spec(), layer, background)) {}

DisplayRows::~DisplayRows() = default;

void DisplayRows::make(int top, int rows, const Queue& serial, float* to) const {
  const Rect& window = image_.spec().data_window;
  const FrameFormat format = {
      {window.x, window.y + top, window.width, rows}, PixelType::f32, 3, Storage::host};
  const Frame target = Frame::over_host(
      format, reinterpret_cast<std::byte*>(to),
      static_cast<std::ptrdiff_t>(window.width) * 3 * static_cast<std::ptrdiff_t>(sizeof(float)));
  conversion_->run(serial, 0, {&source_, 1}, target);
  const std::size_t count =
      3 * static_cast<std::size_t>(window.width) * static_cast<std::size_t>(rows);
  with_best_instructions([=] {
    for (std::size_t i = 0; i < count; ++i) to[i] = flip::display_light(to[i]);
  });
}

DisplayPair display_pair(const ComparedLayers& layers, const std::array<float, 3>& background) {
  const Spec &golden = layers.golden().spec(), &result = layers.result().spec();
  const Queue& queue = layers.queue();
  DisplayPair pair;
  on_device(
      queue,
      [&] {
        pair.golden = picture_on_cpu(layers.golden(), layers.layer(), background, queue);
        pair.result = picture_on_cpu(layers.result(), layers.layer(), background, queue);
      },
      [&] {
        pair.golden_on_card =
            picture_on_card(golden, layers.layer(), layers.golden_on_card(), background, queue);
        pair.result_on_card =
            picture_on_card(result, layers.layer(), layers.result_on_card(), background, queue);
      });
  return pair;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "shown_picture.h"

#include <algorithm>

#include "image/row_convert.h"
#include "pipeline/execute/execute.h"
#include "pipeline/output_spec.h"
#include "stages/analyse/channel_rows.h"
#include "stages/color/exposure.h"
#include "stages/geometry/resize.h"
#include "stages/pass/conversion.h"
#include "terminal_picture.h"

namespace cuimg {
namespace {

// Squares of the checkerboard behind translucent pixels, in pixels, and their light.
constexpr int square = 8;
constexpr float board[2] = {0.13f, 0.32f};

std::vector<BoundStage> stages_for(const Image& image, const Rect& size, float exposure_stops,
                                   std::optional<ToneCurve> curve) {
  std::vector<BoundStage> stages;
  const Rect& display = image.spec().display_window;
  if (size.width != display.width || size.height != display.height) {
    Resize resize;
    resize.size = pixels(size.width, size.height);
    resize.filter = resize_filter_named("triangle");
    stages.push_back(bind(*find_stage("resize"), resize));
  }
  if (exposure_stops != 0)
    stages.push_back(bind(*find_stage("exposure"), Exposure{{exposure_stops}}));
  if (curve) {
    Tonemap tonemap;
    tonemap.curve = *curve;
    stages.push_back(bind(*find_stage("tonemap"), tonemap));
  }
  return stages;
}

// Light over the board, as 8-bit sRGB.
Image over_board(const Frame& light, const Rect& size) {
  Spec spec;
  spec.data_window = spec.display_window = {0, 0, size.width, size.height};
  spec.layers = {{"", {"R", "G", "B"}, PixelType::u8}};
  spec.color = {Curve::srgb, 1.0f, false, {}};
  Image image(spec);
  const RowFormat format = {PixelType::u8, 3, {{TransferCurve::srgb}}};
  std::vector<float> row(3 * static_cast<std::size_t>(size.width));
  const Rect& r = light.region();
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      const float* const v = light.pixel_as<float>(r.x + x, r.y + y);
      const float through = 1 - v[3];
      const float behind = board[(x / square + y / square) % 2];
      for (int c = 0; c < 3; ++c)
        row[static_cast<std::size_t>(3 * x + c)] = through == 0 ? v[c] : v[c] + through * behind;
    }
    working_to_rows(format, row.data(), image.row(0, y), static_cast<std::size_t>(size.width));
  }
  return image;
}

}  // namespace

ShownSpace space_on(const Terminal& terminal, Protocol protocol, std::optional<int> columns,
                    int lines_left) {
  const bool blocks = protocol == Protocol::blocks;
  ShownSpace space;
  space.cell_width = blocks ? 1 : terminal.cell_width;
  space.width = columns.value_or(terminal.columns) * space.cell_width;
  const int rows = std::max(1, terminal.rows - lines_left);
  space.height = terminal.rows == 0 || columns ? largest_side
                 : blocks                      ? 2 * rows
                                               : rows * terminal.cell_height;
  return space;
}

Rect shown_size(const Spec& spec, const ShownSpace& space) {
  return fitted_size(spec.display_window, spec.pixel_aspect, std::min(space.width, largest_side),
                     space.height, 1);
}

bool passes_white(const Image& image) {
  for (int l = 0; l < image.spec().layer_count(); ++l) {
    const LayerSpec& layer = image.spec().layer(l);
    if (!layer.is_color() || !is_floating(layer.type)) continue;
    const Rect& r = image.spec().data_window;
    bool any = false;
    for (int y = r.y; y < r.bottom() && !any; ++y)
      each_value(layer.type, image.row(l, y), 0, 1, r.width * layer.channel_count(),
                 [&](auto v) { any = any || static_cast<float>(v) > 1; });
    if (any) return true;
  }
  return false;
}

Image shown_picture(const Image& image, const Rect& size, float exposure_stops,
                    std::optional<ToneCurve> curve, int threads) {
  const Queue queue = Queue::cpu(threads);
  const Plan plan = make_plan(image.spec(), stages_for(image, size, exposure_stops, curve), nullptr,
                              std::nullopt, {0, 0, 0}, {});
  const Image made = execute(plan, queue, image);
  // The layer that a PNG would show.
  std::vector<PixelType> types;
  for (const LayerSpec& layer : made.spec().layers) types.push_back(layer.type);
  const int layer =
      choose_output(made.spec(), types, *codec_named("png"), std::nullopt, false).sources.front();
  Spec light = made.spec();
  light.data_window = light.display_window;
  light.layers = {{"", {"R", "G", "B", "A"}, PixelType::f32}};
  light.color = {Curve::linear, 1.0f, true, {}};
  const auto conversion = make_conversion(made.spec(), light, {layer}, {0, 0, 0}, false);
  const Frame frame = Frame::new_host({light.data_window, PixelType::f32, 4, Storage::host});
  const Frame source = Frame::over_image(made, layer)
                           .cropped(intersection(light.data_window, made.spec().data_window));
  conversion->run(queue, 0, {&source, 1}, frame);
  return over_board(frame, size);
}

std::string terminal_text(const Image& picture, Protocol protocol) {
  return protocol == Protocol::kitty   ? kitty_text(picture)
         : protocol == Protocol::sixel ? sixel_text(picture)
                                       : blocks_text(picture);
}

}  // namespace cuimg

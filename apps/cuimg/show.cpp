// SPDX-License-Identifier: Apache-2.0
// `cuimg show`: a picture in the terminal.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "commands.h"
#include "image/row_convert.h"
#include "pipeline/execute/execute.h"
#include "pipeline/output_spec.h"
#include "stages/analyse/channel_rows.h"
#include "stages/color/exposure.h"
#include "stages/color/tonemap.h"
#include "stages/geometry/resize.h"
#include "stages/pass/conversion.h"
#include "terminal.h"
#include "terminal_picture.h"

namespace cuimg {
namespace {

// One of tonemap's curves, or `off`.
enum class ShownCurve : std::uint8_t { neutral = static_cast<int>(ToneCurve::neutral), off = 255 };
std::span<const Choice<ShownCurve>> choices_of(ShownCurve) {
  static const std::vector<Choice<ShownCurve>> choices = [] {
    std::vector<Choice<ShownCurve>> all;
    for (const Choice<ToneCurve>& curve : choices_of(ToneCurve{}))
      all.push_back({static_cast<ShownCurve>(curve.value), curve.name});
    all.push_back({ShownCurve::off, "off"});
    return all;
  }();
  return choices;
}

struct Show {
  Protocol protocol = Protocol::automatic;
  std::optional<int> columns;
  float exposure = 0;
  ShownCurve curve = ShownCurve::neutral;
};

// Squares of the board that shows through what is translucent, in pixels, and their light.
constexpr int square = 8;
constexpr float board[2] = {0.13f, 0.32f};

// Its size in pixels of the terminal: all of it, not larger than it is.
Rect shown_size(const Spec& spec, const Show& show, const Terminal& terminal, Protocol protocol) {
  const bool blocks = protocol == Protocol::blocks;
  const int columns = show.columns.value_or(terminal.columns);
  // The last line is the prompt's.
  const int rows = std::max(1, terminal.rows - 1);
  const double across = columns * (blocks ? 1.0 : terminal.cell_width);
  const double down = terminal.rows == 0 || show.columns ? largest_side
                      : blocks                           ? 2.0 * rows
                                                         : rows * terminal.cell_height;
  const double width = spec.display_window.width * static_cast<double>(spec.pixel_aspect);
  const double height = spec.display_window.height;
  const double scale = std::min({across / width, down / height, 1.0});
  const auto side = [&](double length) {
    return std::clamp(static_cast<int>(std::floor(length * scale + 0.5)), 1, largest_side);
  };
  return {0, 0, side(width), side(height)};
}

bool passes_white(const Image& image) {
  for (int l = 0; l < static_cast<int>(image.spec().layers.size()); ++l) {
    const LayerSpec& layer = image.spec().layers[static_cast<std::size_t>(l)];
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

std::vector<BoundStage> stages_for(const Image& image, const Show& show, const Rect& size) {
  std::vector<BoundStage> stages;
  const Rect& display = image.spec().display_window;
  if (size.width != display.width || size.height != display.height) {
    Resize resize;
    resize.size = pixels(size.width, size.height);
    resize.filter = resize_filter_named("triangle");
    stages.push_back(bind(*find_stage("resize"), resize));
  }
  if (show.exposure != 0)
    stages.push_back(bind(*find_stage("exposure"), Exposure{{show.exposure}}));
  if (show.curve != ShownCurve::off && (passes_white(image) || show.exposure > 0)) {
    Tonemap tonemap;
    tonemap.curve = static_cast<ToneCurve>(show.curve);
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

Image picture_of(const Image& image, const Show& show, const Rect& size, int threads) {
  const Queue queue = Queue::cpu(threads);
  const Plan plan =
      make_plan(image.spec(), stages_for(image, show, size), nullptr, std::nullopt, {0, 0, 0}, {});
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

int run_show(const void* values, const std::vector<std::string>& files,
             const CommonOptions& common) {
  const Show& show = *static_cast<const Show*>(values);
  const Terminal terminal = look_at_terminal();
  const Protocol protocol =
      show.protocol == Protocol::automatic ? best_protocol(terminal) : show.protocol;
  return for_each_file("show", files, [&](const std::string& file) {
    const Image image = read_one_part(file, common, "shown");
    const std::vector<LayerSpec>& layers = image.spec().layers;
    if (std::all_of(layers.begin(), layers.end(),
                    [](const LayerSpec& layer) { return layer.holds_ids(); }))
      throw Error(file, "it holds ids alone, which are no picture", "cuimg stats describes them");
    const Rect size = shown_size(image.spec(), show, terminal, protocol);
    const Image picture = picture_of(image, show, size, common.threads);
    print(protocol == Protocol::kitty   ? kitty_text(picture)
          : protocol == Protocol::sixel ? sixel_text(picture)
                                        : blocks_text(picture));
  });
}

}  // namespace

Command show_command() {
  const Description description =
      describe<Show>("show", "a picture in the terminal")
          .param("protocol", &Show::protocol, "how it gets there")
          .param("columns", &Show::columns, range(1, 10000), "how wide, in characters, at most")
          .param("exposure", &Show::exposure, stops_range, "brighten before the curve",
                 unit("stops"))
          .param("curve", &Show::curve,
                 "tonemap's curve, used when light passes 1; off cuts it off instead")
          .details(
              "The picture is scaled down to the terminal, never up, and translucent parts show a "
              "checkerboard. auto chooses by KITTY_WINDOW_ID and TERM; where those do not decide "
              "it "
              "asks the terminal, for up to 0.3 s, whether it can show kitty's graphics or sixels. "
              "If it can show neither, or standard output is no terminal, auto means half blocks; "
              "without a terminal they are 80 columns wide.")
          .example("cuimg show in.exr")
          .example("cuimg show --protocol blocks --columns 40 *.png");
  return {description,
          "FILE...",
          {"part", "mip-level", "limit-pixels", "threads", "verbose", "help"},
          run_show};
}

}  // namespace cuimg

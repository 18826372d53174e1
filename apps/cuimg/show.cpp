// SPDX-License-Identifier: Apache-2.0
// `cuimg show`: a picture in the terminal.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "commands.h"
#include "image/row_convert.h"
#include "pipeline/execute.h"
#include "pipeline/output_spec.h"
#include "stages/analyse/channel_rows.h"
#include "stages/pass/conversion.h"
#include "terminal.h"
#include "terminal_picture.h"

namespace cuimg {
namespace {

struct Show {
  Protocol protocol = Protocol::automatic;
  std::optional<int> columns;
  float exposure = 0;
  std::string curve = "neutral";
};

// Squares of the board that shows through what is translucent, in pixels, and their light.
constexpr int square = 8;
constexpr float board[2] = {0.13f, 0.32f};

BoundStage stage_with(const char* name,
                      const std::vector<std::pair<const char*, std::string>>& options) {
  const StageDescription& stage = *find_stage(name);
  const std::shared_ptr<void> values = stage.make();
  for (const auto& [option, text] : options) stage.find(option)->set(values.get(), text, "show");
  return {&stage, values};
}

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
  if (size.width != display.width || size.height != display.height)
    stages.push_back(stage_with("resize", {{"size", format_value(pixels(size.width, size.height))},
                                           {"filter", "triangle"}}));
  if (show.exposure != 0)
    stages.push_back(stage_with("exposure", {{"stops", format_value(show.exposure)}}));
  if (show.curve != "off" && (passes_white(image) || show.exposure > 0))
    stages.push_back(stage_with("tonemap", {{"curve", show.curve}}));
  return stages;
}

// Light over the board, as 8-bit sRGB.
Image over_board(const Frame& light, const Rect& size) {
  Spec spec;
  spec.data_window = spec.display_window = {0, 0, size.width, size.height};
  spec.layers = {{"", {"R", "G", "B"}, PixelType::u8}};
  spec.color = {Curve::srgb, 1.0f, false, {}};
  Image image(spec);
  const RowFormat format = {PixelType::u8, 3, encoding_of(spec, spec.layers[0], false)};
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
  Image made(plan.output());
  RowProgress ready, done;
  ready.finish();
  execute(plan, queue, image, ready, made, done);
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
  if (show.curve != "off") stage_with("tonemap", {{"curve", show.curve}});
  const Terminal terminal = look_at_terminal();
  const Protocol protocol =
      show.protocol == Protocol::automatic ? best_protocol(terminal) : show.protocol;
  return for_each_file("show", files, [&](const std::string& file) {
    const Image image = read_image(file, verbose_decode_options(common));
    const std::vector<LayerSpec>& layers = image.spec().layers;
    if (std::all_of(layers.begin(), layers.end(),
                    [](const LayerSpec& layer) { return layer.type == PixelType::u32; }))
      throw Error(file, "it holds u32 numbers alone, which are no picture",
                  "cuimg stats tells of them");
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
          .param("exposure", &Show::exposure, range(-126.0f, 127.0f), "brighten before the curve",
                 unit("stops"))
          .param("curve", &Show::curve,
                 "tonemap's curve, used when light passes 1; off cuts it off instead",
                 Suggestions{{"neutral", "hable", "aces", "agx", "reinhard", "off"}})
          .details(
              "The picture is scaled down to the terminal, never up, and translucent parts show a "
              "checkerboard. auto goes by KITTY_WINDOW_ID and TERM, and otherwise asks the "
              "terminal whether it knows kitty's graphics or sixels, for up to 0.3 s; where "
              "neither, or where standard output is no terminal, it is half blocks, there 80 "
              "columns wide.")
          .example("cuimg show in.exr")
          .example("cuimg show --protocol blocks --columns 40 *.png");
  return {description,
          "FILE...",
          {"part", "mip-level", "limit-pixels", "threads", "verbose", "help"},
          run_show};
}

}  // namespace cuimg

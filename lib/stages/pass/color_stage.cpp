// SPDX-License-Identifier: Apache-2.0
// Turns operations on a pixel into an operation on an image with any layers.
#include "stages/pass/color_stage.h"

#include "base/error.h"
#include "base/message_text.h"
#include "image/primaries.h"
#include "stages/pass/conversion.h"

namespace cuimg {

std::unique_ptr<Operation> make_color_operation(
    const Spec& input, const StageContext& context, Values values,
    const std::function<ColorChange(const LayerSpec&)>& change, ColorPlan color_plan) {
  Spec output = input;
  const std::optional<ColorEncoding>& color = color_plan.color;
  output.color = color && !context.raw ? *color : working_color(input, values, context);
  if (color && context.raw) {
    output.color.tag = color->tag;
    output.color.profile = color->profile;
  }
  output.color.alpha_covers = input.color.alpha_covers;
  std::vector<PixelPass> passes;
  for (LayerSpec& layer : output.layers) {
    const LayerSpec before = layer;
    const bool is_id = layer.holds_ids();
    if (!is_id) layer.type = PixelType::f32;
    PixelPass pass = moving_pass(layer);
    if (!is_id) {
      ColorChange made = change(before);
      if (!made.channels.empty()) {
        layer.channels = std::move(made.channels);
        pass.to = form_of(layer);
      }
      if (!made.name.empty()) layer.name = made.name;
      pass.moves_only = made.ops.empty();
      pass.ops = std::move(made.ops);
      pass.tables = std::move(made.tables);
    }
    passes.push_back(std::move(pass));
  }
  OperationPlan plan(std::move(output));
  plan.cost_ns = color_plan.cost_ns;
  plan.explanation = std::move(color_plan.explanation);
  for (std::size_t i = 0; i < passes.size(); ++i) {
    if (!plan.output.layers[i].holds_ids()) plan.layers[i].values = values;
    plan.layers[i].pixel_pass = std::make_shared<const PixelPass>(std::move(passes[i]));
  }
  return make_pixel_operation(std::move(plan), input.data_window);
}

std::unique_ptr<Operation> make_unchanged(const Spec& input) {
  OperationPlan plan(input);
  for (std::size_t i = 0; i < input.layers.size(); ++i)
    plan.layers[i].pixel_pass = std::make_shared<const PixelPass>(moving_pass(input.layers[i]));
  return make_pixel_operation(std::move(plan), input.data_window);
}

ColorChange grey_to_color(const LayerSpec& layer) {
  ColorChange change;
  if (!layer.is_color() || form_of(layer).shape.colors != 1) return change;
  LayerSpec colored = layer;
  colored.channels = {"R", "G", "B"};
  LightMap map;
  map.from_channels = static_cast<std::int8_t>(layer.channel_count());
  for (int c = 0; c < 3; ++c) map.source_channel[c] = 0;
  if (layer.alpha_index() >= 0) {
    colored.channels.push_back("A");
    map.source_channel[3] = static_cast<std::int8_t>(layer.alpha_index());
  }
  map.to_channels = static_cast<std::int8_t>(colored.channel_count());
  change.ops.push_back(MapLight{map, form_of(colored).shape});
  change.channels = colored.channels;
  return change;
}

PixelOp primaries_op(const Chromaticities& from, const Chromaticities& to, const LayerSpec& layer) {
  const PixelShape shape = form_of(layer).shape;
  LightMap map;
  map.from_channels = map.to_channels = shape.channels;
  map.from_alpha = shape.alpha;
  map.change_primaries = true;
  const Matrix3 matrix = rgb_to_rgb(from, to);
  for (int i = 0; i < 9; ++i) map.matrix[i] = static_cast<float>(matrix.m[i / 3][i % 3]);
  return MapLight{map, shape};
}

std::uint8_t color_channels(const LayerSpec& layer) {
  return static_cast<std::uint8_t>((1 << form_of(layer).shape.colors) - 1);
}

ChannelValues channel_values(const std::vector<float>& given, const LayerSpec& layer, float rest,
                             const std::string& place) {
  const PixelShape shape = form_of(layer).shape;
  const auto count = static_cast<int>(given.size());
  ChannelValues result{{rest, rest, rest, rest}, false};
  if (count != 1 && count != shape.colors && (shape.alpha < 0 || count != shape.colors + 1))
    throw Error(place,
                std::to_string(count) + " values for a layer of " +
                    counted(shape.colors, "colour channel") +
                    (shape.alpha >= 0 ? " and alpha" : ""),
                "give one for all, or one each");
  for (int c = 0; c < shape.colors; ++c)
    result.of[c] = given[static_cast<std::size_t>(count == 1 ? 0 : c)];
  if (count > 1 && count == shape.colors + 1) {
    result.of[shape.alpha] = given.back();
    result.for_alpha = true;
  }
  return result;
}

Scale scale_op(const ChannelValues& factors) {
  Scale op;
  std::copy(factors.of, factors.of + 4, op.factor);
  op.scales_alpha = factors.for_alpha;
  return op;
}

}  // namespace cuimg

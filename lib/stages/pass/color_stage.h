// SPDX-License-Identifier: Apache-2.0
// Code that colour stages share: each defines its operations on a layer's pixels, and everything
// else is the same for all.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stages/pass/pixel_pass.h"

namespace cuimg {

/// The change that a colour stage makes to one layer.
struct ColorChange {
  std::vector<PixelOp> ops;
  /// The values to which the operations' tables point, in host memory.
  std::vector<std::shared_ptr<const std::vector<float>>> tables = {};
  /// The layer's channels afterwards; empty: as before.
  std::vector<std::string> channels = {};
  std::string name = {};  ///< The layer's name afterwards; empty: as before.
};

/// Facts about a colour stage's operation that the planner needs.
struct ColorPlan {
  double cost_ns = 4;  ///< Nanoseconds of a CPU core for each pixel.
  /// The colour encoding afterwards, ignored with --raw; absent: as before.
  std::optional<ColorEncoding> color = {};
  std::vector<std::string> explanation = {};  ///< Decisions for --explain.
};

/// The operation of a colour stage: applies `change` to every layer except ids. Such a stage
/// processes the image's colour layers, or those that --layers names: its description calls
/// on_color_layers().
/// @param values the form that it needs, other than `stored`.
/// @param change called once for each layer; its exceptions are passed on.
std::unique_ptr<Operation> make_color_operation(
    const Spec& input, const StageContext& context, Values values,
    const std::function<ColorChange(const LayerSpec&)>& change, ColorPlan color_plan = {});

/// The operation of a colour stage whose options change nothing: every pixel keeps its bits.
std::unique_ptr<Operation> make_unchanged(const Spec& input);

/// The function `prepare` of a description if only the layer matters.
/// @param change (const Struct&, const LayerSpec&) -> ColorChange.
template <class Change>
auto each_layer(Values values, Change change) {
  return [=](const auto& p, const Spec& input, const StageContext& context) {
    return make_color_operation(input, context, values,
                                [&](const LayerSpec& layer) { return change(p, layer); });
  };
}

/// Converts a layer's light, of red, green and blue, to other primaries.
PixelOp primaries_op(const Chromaticities& from, const Chromaticities& to, const LayerSpec& layer);

/// The layer's colours as a mask of channels.
std::uint8_t color_channels(const LayerSpec& layer);

/// The operations that turn a grey layer (Y or Y, A) into one with R, G and B; nothing for other
/// layers.
ColorChange grey_to_color(const LayerSpec& layer);

/// One value per channel, from an option that takes one value for all colours or one each.
/// @param rest the value of channels without one: for alpha, unless there is one per channel.
/// @param place the stage, for the error.
/// @throws Error unless there is 1 value, one per colour or one per channel.
struct ChannelValues {
  float of[4];
  bool for_alpha;  ///< Whether alpha has a value.
};
ChannelValues channel_values(const std::vector<float>& given, const LayerSpec& layer, float rest,
                             const std::string& place);
/// The operation that multiplies the channels by those values.
Scale scale_op(const ChannelValues& factors);

}  // namespace cuimg

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

/// What a colour stage does to one layer.
struct ColorChange {
  std::vector<PixelOp> ops;
  /// What the operations' tables point to, in host memory.
  std::vector<std::shared_ptr<const std::vector<float>>> tables = {};
  /// The layer's channels afterwards; empty: as before.
  std::vector<std::string> channels = {};
  std::string name = {};  ///< The layer's afterwards; empty: as before.
};

/// The operation of a colour stage: every layer goes through `change`, ids stay. Of the image such
/// a stage sees the layers of colour, or those that --layers names: its description says
/// on_color_layers().
/// @param values how it wants them, other than `stored`.
/// @param change called once for each layer. @throws whatever it throws.
/// @param cost_ns nanoseconds of a CPU core for each pixel.
/// @param color what encodes colour afterwards, unless --raw leaves it as it is; else as before.
/// @param explanation decisions for --explain.
std::unique_ptr<Operation> make_color_operation(
    const Spec& input, const StageContext& context, Values values,
    const std::function<ColorChange(const LayerSpec&)>& change, double cost_ns = 4,
    const std::optional<ColorEncoding>& color = {}, std::vector<std::string> explanation = {});

/// The operation of a colour stage whose options leave all as it is: every pixel keeps its bits.
std::unique_ptr<Operation> make_unchanged(const Spec& input);

/// What `prepare` of a description gets where the layer alone decides.
/// @param change (const Struct&, const LayerSpec&) -> ColorChange.
template <class Change>
auto each_layer(Values values, Change change) {
  return [=](const auto& p, const Spec& input, const StageContext& context) {
    return make_color_operation(input, context, values,
                                [&](const LayerSpec& layer) { return change(p, layer); });
  };
}

/// The layer's colours as a mask of channels.
std::uint8_t color_channels(const LayerSpec& layer);

/// What makes a layer of grey (Y or Y, A) one of R, G and B; nothing for other layers.
ColorChange grey_to_color(const LayerSpec& layer);

/// One value per channel, from an option that takes one value for all colours or one each.
/// @param rest the value of channels that get none: of alpha, unless there is one per channel.
/// @param place the stage, for the error.
/// @throws Error unless there is 1 value, one per colour or one per channel.
struct ChannelValues {
  float of[4];
  bool for_alpha;  ///< Alpha has a value of its own.
};
ChannelValues channel_values(const std::vector<float>& given, const LayerSpec& layer, float rest,
                             const std::string& place);
/// What multiplies the channels by those values.
Scale scale_op(const ChannelValues& factors);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Deciding which steps a conversion takes. They are a pass over pixels (stages/pass/pixel_pass.h).
#include "stages/pass/conversion.h"

#include <algorithm>

#include "image/primaries.h"
#include "stages/pass/pixel_pass.h"

namespace cuimg {
namespace {

Transfer transfer_of(const ColorEncoding& color) {
  switch (color.curve) {
    case Curve::srgb:
      return {TransferCurve::srgb};
    case Curve::gamma:
      return {TransferCurve::gamma, color.gamma};
    case Curve::linear:
    case Curve::raw:
      break;
  }
  return {};
}

Encoding encoding_of(const ColorEncoding& color, int alpha) {
  return {transfer_of(color), alpha, alpha >= 0 && !color.premultiplied};
}

constexpr double conversion_ns = 5;

// Where each target channel comes from: by name where the names agree, grey to each of R, G and B,
// a missing alpha is opaque; layers of other names go by position.
void choose_sources(const LayerSpec& from, const LayerSpec& to, LightMap& map) {
  const int grey = index_of(from, "Y");
  for (int i = 0; i < to.channel_count(); ++i) {
    const std::string& name = to.channels[static_cast<std::size_t>(i)];
    const bool is_rgb = name == "R" || name == "G" || name == "B";
    int source = index_of(from, name);
    if (source < 0 && is_rgb) source = grey;
    if (source < 0 && name == "A") source = channel_one;
    if (source < 0 && !from.is_color() && name != "A")
      source = i < from.channel_count() ? i : channel_zero;
    // A lone channel of another name becomes a grey picture.
    if (source < 0 && !from.is_color() && is_rgb && from.channel_count() == 1) source = 0;
    map.source_channel[i] =
        static_cast<std::int8_t>(source < 0 && source != channel_one ? channel_zero : source);
  }
}

bool is_ascending(const std::int8_t* channels, int count) {
  for (int i = 0; i < count; ++i)
    if (channels[i] != i) return false;
  return true;
}

PixelPass layer_pass(const Spec& source, const Spec& target, const LayerSpec& from,
                     const LayerSpec& to, const std::array<float, 3>& background, bool raw) {
  PixelPass pass;
  const bool is_color = from.is_color() && to.is_color() && !raw;
  const int from_alpha = is_color ? from.alpha_index() : -1;
  const int to_alpha = is_color ? to.alpha_index() : -1;
  LightMap map;
  map.from_channels = static_cast<std::int8_t>(from.channel_count());
  map.from_alpha = static_cast<std::int8_t>(from_alpha);
  map.to_channels = static_cast<std::int8_t>(to.channel_count());
  choose_sources(from, to, map);
  map.composite = from_alpha >= 0 && to_alpha < 0;
  const Chromaticities rec709;
  const Chromaticities from_primaries = source.color.primaries.value_or(rec709);
  const Chromaticities to_primaries = target.color.primaries.value_or(rec709);
  map.change_primaries = is_color && from_primaries != to_primaries && index_of(from, "B") >= 0;
  if (map.change_primaries) {
    const Matrix3 matrix = rgb_to_rgb(from_primaries, to_primaries);
    for (int i = 0; i < 9; ++i) map.matrix[i] = static_cast<float>(matrix.m[i / 3][i % 3]);
  }
  const bool is_grey = index_of(from, "Y") >= 0;
  const float luminance =
      0.2126f * background[0] + 0.7152f * background[1] + 0.0722f * background[2];
  for (std::size_t i = 0; i < 3; ++i) map.background[i] = is_grey ? luminance : background[i];
  Encoding decode = encoding_of(source.color, from_alpha);
  Encoding encode = encoding_of(target.color, to_alpha);
  const bool through_light =
      is_color && (map.composite || map.change_primaries || decode.transfer != encode.transfer ||
                   (from_alpha >= 0 && decode.straight_alpha != encode.straight_alpha));
  // Of these the operations take care, not the rows' conversions.
  const bool keeps_from = source.color.uncovered_light && decode.straight_alpha;
  const bool keeps_to = target.color.uncovered_light && encode.straight_alpha;
  decode.straight_alpha = decode.straight_alpha && !keeps_from;
  encode.straight_alpha = encode.straight_alpha && !keeps_to;
  pass.from = form_of(from, through_light ? decode : Encoding{});
  pass.to = form_of(to, through_light ? encode : Encoding{});
  const bool maps_channels = map.composite || map.change_primaries ||
                             from.channel_count() != to.channel_count() ||
                             !is_ascending(map.source_channel, map.to_channels);
  if (through_light && keeps_from) pass.ops.push_back(Premultiply{true});
  if (maps_channels) pass.ops.push_back(MapLight{map, pass.to.shape});
  if (through_light && keeps_to) pass.ops.push_back(Unpremultiply{true});
  pass.moves_only = from.type == to.type && !through_light && !maps_channels;
  return pass;
}

}  // namespace

int index_of(const LayerSpec& layer, std::string_view channel) {
  const auto found = std::find(layer.channels.begin(), layer.channels.end(), channel);
  return found == layer.channels.end() ? -1 : static_cast<int>(found - layer.channels.begin());
}

bool holds_depth(const LayerSpec& layer) {
  return index_of(layer, "Z") >= 0 || index_of(layer, "ZBack") >= 0;
}

std::unique_ptr<Operation> make_conversion(const Spec& source, const Spec& target,
                                           const std::vector<int>& sources,
                                           const std::array<float, 3>& background, bool raw) {
  OperationPlan plan(target);
  plan.cost_ns = conversion_ns;
  for (std::size_t i = 0; i < target.layers.size(); ++i) {
    plan.layers[i].sources = {sources[i]};
    plan.layers[i].pixel_pass = std::make_shared<const PixelPass>(
        layer_pass(source, target, source.layers[static_cast<std::size_t>(sources[i])],
                   target.layers[i], background, raw));
  }
  return make_pixel_operation(std::move(plan), source.data_window);
}

std::unique_ptr<Operation> make_widening(const Spec& input, const Spec& output, bool raw) {
  Spec from = input;
  from.color = output.color;
  Spec to = from;
  to.layers = output.layers;
  std::vector<int> sources;
  for (std::size_t i = 0; i < to.layers.size(); ++i) {
    from.layers[i].type = to.layers[i].type;
    sources.push_back(static_cast<int>(i));
  }
  return make_conversion(from, to, sources, {0, 0, 0}, raw);
}

bool is_light_as_stored(const Spec& spec, const LayerSpec& layer, bool raw) {
  if (layer.type == PixelType::u32) return false;
  return raw || !layer.is_color() ||
         ((spec.color.curve == Curve::linear || spec.color.curve == Curve::raw) &&
          (spec.color.premultiplied || layer.alpha_index() < 0));
}

Encoding encoding_of(const Spec& spec, const LayerSpec& layer, bool raw) {
  if (raw || !layer.is_color() || layer.type == PixelType::u32) return {};
  return encoding_of(spec.color, layer.alpha_index());
}

ColorEncoding mixed_color(const Spec& input, bool raw) {
  if (raw) return input.color;
  ColorEncoding color{Curve::linear, 1.0f, true, input.color.primaries};
  color.tag = input.color.tag;
  // What a stage has encoded is taken as it is.
  if (input.color.curve == Curve::raw) color.curve = Curve::raw;
  return color;
}

ColorEncoding working_color(const Spec& spec, Values values, const StageContext& context) {
  if (context.raw || values == Values::stored) return spec.color;
  ColorEncoding color = mixed_color(spec, false);
  color.premultiplied = values == Values::linear;
  color.uncovered_light = !color.premultiplied && context.home.premultiplied;
  if (values == Values::encoded && color.curve != Curve::raw)
    color.curve = context.home.curve, color.gamma = context.home.gamma;
  return color;
}

Spec working_spec(const Spec& spec, const std::vector<Values>& wanted,
                  const StageContext& context) {
  Spec result = spec;
  bool encoded = false;
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    if (wanted[i] == Values::stored) continue;
    result.layers[i].type = PixelType::f32;
    if (!spec.layers[i].is_color() || encoded) continue;
    result.color = working_color(spec, wanted[i], context);
    encoded = true;
  }
  return result;
}

}  // namespace cuimg

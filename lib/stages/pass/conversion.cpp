// SPDX-License-Identifier: Apache-2.0
// Decides the steps of a conversion, which become a pass over pixels (stages/pass/pixel_pass.h).
#include "stages/pass/conversion.h"

#include "base/error.h"
#include "image/primaries.h"
#include "image/row_convert.h"
#include "kernels/color/luminance.h"
#include "stages/pass/color_stage.h"
#include "stages/pass/pixel_pass.h"

namespace cuimg {
namespace {

Transfer transfer_of(const ColorEncoding& color) {
  if (color.curve == Curve::srgb) return {TransferCurve::srgb};
  if (color.curve == Curve::gamma) return {TransferCurve::gamma, color.gamma};
  if (color.curve == Curve::pq) return {TransferCurve::pq};
  if (color.curve == Curve::hlg) return {TransferCurve::hlg};
  return {};  // a profile's curve is an operation: see add_profile_decoding()
}

bool is_straight(const ColorEncoding& color) { return !color.premultiplied && color.alpha_covers; }

bool is_straight(const ColorEncoding& color, const LayerSpec& layer) {
  return is_straight(color) && !layer.stays_premultiplied;
}

Encoding encoding_of(const ColorEncoding& color, const LayerSpec& layer, int alpha) {
  return {transfer_of(color), alpha, alpha >= 0 && is_straight(color, layer)};
}

constexpr double conversion_ns = 5;

constexpr double shaping_exponent = 1 / 3.0;  // matches ColorProfile::codes

// A program that uses the library may set the curve without a profile that has samples.
const CurveSamples& curve_of(const ColorEncoding& color, CurveSamples ColorProfile::*samples) {
  static const CurveSamples none;
  const CurveSamples& curve = color.profile ? color.profile.operator->()->*samples : none;
  if (curve == nullptr || curve->size() < 3 * std::size_t{ColorProfile::samples})
    throw Error("image", "its curve is a profile's, but there are no samples of it",
                "set ColorProfile::light and codes, or another curve");
  return curve;
}

PixelOp profile_table(const CurveSamples& samples) {
  CurveTable op;
  op.table = samples->data();
  op.table_size = static_cast<int>(samples->size());
  op.size = ColorProfile::samples;
  for (TableAxis& axis : op.axis) axis.scale = ColorProfile::samples - 1;
  return op;
}

bool follows_profile(const ColorEncoding& color) { return color.curve == Curve::profile; }

// Whether two encodings have the same curve.
bool same_curve(const ColorEncoding& a, const ColorEncoding& b) {
  if (follows_profile(a) != follows_profile(b)) return false;
  return follows_profile(a) ? a.profile == b.profile : transfer_of(a) == transfer_of(b);
}

// Stored values of a profile's curve to light.
void add_profile_decoding(const ColorEncoding& color, PixelPass& pass) {
  const CurveSamples& light = curve_of(color, &ColorProfile::light);
  pass.ops.push_back(profile_table(light));
  pass.tables.push_back(light);
}

void add_profile_encoding(const ColorEncoding& color, const LayerSpec& layer, PixelPass& pass) {
  pass.ops.push_back(mirrored_power_op(shaping_exponent, color_channels(layer)));
  const CurveSamples& codes = curve_of(color, &ColorProfile::codes);
  pass.ops.push_back(profile_table(codes));
  pass.tables.push_back(codes);
}

// The channel of a grey picture; -1 if it is none. If there is an X, Y is a coordinate.
int grey_index(const LayerSpec& layer) {
  return layer.channel_index("X") >= 0 ? -1 : layer.channel_index("Y");
}

// The source of each target channel: matched by name if names agree, grey to each of R, G and B,
// and opaque for a missing alpha; layers with other names are matched by position.
void choose_sources(const LayerSpec& from, const LayerSpec& to, LightMap& map) {
  const int grey = grey_index(from);
  for (int i = 0; i < to.channel_count(); ++i) {
    const std::string& name = to.channels[static_cast<std::size_t>(i)];
    const bool is_rgb = name == "R" || name == "G" || name == "B";
    int source = from.channel_index(name);
    if (source < 0 && is_rgb) source = grey;
    if (source < 0 && name == "A") source = channel_one;
    if (source < 0 && !from.is_color() && name != "A")
      source = i < from.channel_count() ? i : channel_zero;
    // A single channel with another name becomes a grey picture.
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
  map.composite = from_alpha >= 0 && to_alpha < 0 && source.color.alpha_covers;
  const Chromaticities rec709;
  const Chromaticities from_primaries = source.color.primaries.value_or(rec709);
  const Chromaticities to_primaries = target.color.primaries.value_or(rec709);
  map.change_primaries = is_color && from_primaries != to_primaries && from.channel_index("B") >= 0;
  if (map.change_primaries) {
    const Matrix3 matrix = rgb_to_rgb(from_primaries, to_primaries);
    for (int i = 0; i < 9; ++i) map.matrix[i] = static_cast<float>(matrix.m[i / 3][i % 3]);
  }
  const bool is_grey = grey_index(from) >= 0;
  const float luminance = rec709_luminance(background[0], background[1], background[2]);
  for (std::size_t i = 0; i < 3; ++i) map.background[i] = is_grey ? luminance : background[i];
  Encoding decode = encoding_of(source.color, from, from_alpha);
  ColorEncoding target_color = target.color;
  target_color.alpha_covers = source.color.alpha_covers;
  Encoding encode = encoding_of(target_color, to, to_alpha);
  const bool through_light =
      is_color &&
      (map.composite || map.change_primaries || !same_curve(source.color, target.color) ||
       (from_alpha >= 0 && decode.straight_alpha != encode.straight_alpha));
  // The operations handle these, not the rows' conversions.
  const bool keeps_from = source.color.uncovered_light && decode.straight_alpha;
  const bool keeps_to = target.color.uncovered_light && encode.straight_alpha;
  const bool from_profile = through_light && follows_profile(source.color);
  const bool to_profile = through_light && follows_profile(target.color);
  const bool premultiplies = decode.straight_alpha && (keeps_from || from_profile);
  const bool unpremultiplies = encode.straight_alpha && (keeps_to || to_profile);
  decode.straight_alpha = decode.straight_alpha && !premultiplies;
  encode.straight_alpha = encode.straight_alpha && !unpremultiplies;
  pass.from = form_of(from, through_light ? decode : Encoding{});
  pass.to = form_of(to, through_light ? encode : Encoding{});
  const bool maps_channels = map.composite || map.change_primaries ||
                             from.channel_count() != to.channel_count() ||
                             !is_ascending(map.source_channel, map.to_channels);
  if (from_profile) add_profile_decoding(source.color, pass);
  if (through_light && premultiplies) pass.ops.push_back(Premultiply{keeps_from});
  if (maps_channels) pass.ops.push_back(MapLight{map, pass.to.shape});
  if (through_light && unpremultiplies) pass.ops.push_back(Unpremultiply{keeps_to});
  if (to_profile) add_profile_encoding(target.color, to, pass);
  pass.moves_only = from.type == to.type && !through_light && !maps_channels;
  return pass;
}

}  // namespace

std::unique_ptr<Operation> make_conversion(const Spec& source, const Spec& target,
                                           const std::vector<int>& sources,
                                           const std::array<float, 3>& background, bool raw) {
  OperationPlan plan(target);
  plan.cost_ns = conversion_ns;
  for (std::size_t i = 0; i < target.layers.size(); ++i) {
    plan.layers[i].sources = {sources[i]};
    plan.layers[i].pixel_pass = std::make_shared<const PixelPass>(
        layer_pass(source, target, source.layer(sources[i]), target.layers[i], background, raw));
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
  if (layer.holds_ids()) return false;
  return raw || !layer.is_color() ||
         ((spec.color.curve == Curve::linear || spec.color.curve == Curve::raw) &&
          (!is_straight(spec.color, layer) || layer.alpha_index() < 0));
}

void store_light(const Spec& spec, const LayerSpec& layer, bool raw, const float* light,
                 void* stored) {
  const bool is_plain_layer = raw || !layer.is_color();
  Encoding encoding;
  if (!is_plain_layer) encoding = encoding_of(spec.color, layer, layer.alpha_index());
  RowFormat format{layer.type, layer.channel_count(), encoding};
  if (is_plain_layer || !follows_profile(spec.color))
    return working_to_rows(format, light, stored, 1);
  PixelPass pass;
  if (encoding.straight_alpha) pass.ops.push_back(Unpremultiply{});
  add_profile_encoding(spec.color, layer, pass);
  constexpr std::size_t room = 64;  // rows may be read in whole vectors
  alignas(16) float values[4][room] = {};
  float* const planes[4] = {values[0], values[1], values[2], values[3]};
  for (int c = 0; c < layer.channel_count(); ++c) values[c][0] = light[c];
  run_pixel_ops(pass.ops, planes, 1, form_of(layer).shape);
  alignas(16) float encoded[room] = {};
  for (int c = 0; c < layer.channel_count(); ++c) encoded[c] = values[c][0];
  format.encoding = {};
  working_to_rows(format, encoded, stored, 1);
}

ColorEncoding mixed_color(const Spec& input, bool raw) {
  if (raw) return input.color;
  ColorEncoding color{Curve::linear, 1.0f, true, input.color.primaries};
  color.tag = input.color.tag;
  color.alpha_covers = input.color.alpha_covers;
  // Values that a stage has encoded are used unchanged.
  if (input.color.curve == Curve::raw) color.curve = Curve::raw;
  return color;
}

ColorEncoding working_color(const Spec& spec, Values values, const StageContext& context) {
  if (context.raw || values == Values::stored) return spec.color;
  ColorEncoding color = mixed_color(spec, false);
  color.premultiplied = values == Values::linear;
  color.uncovered_light = !color.premultiplied && context.home.premultiplied;
  if (values == Values::encoded && color.curve != Curve::raw) {
    color.curve = context.home.curve, color.gamma = context.home.gamma;
    if (follows_profile(color)) color.profile = context.home.profile;
  }
  return color;
}

Values values_in_file(const Spec& spec, const StageContext& context) {
  bool has_color = false, has_alpha = false;
  for (const LayerSpec& layer : spec.layers) {
    has_color = has_color || layer.is_color();
    has_alpha = has_alpha || (layer.is_color() && layer.alpha_index() >= 0);
  }
  const ColorEncoding &color = spec.color, &home = context.home;
  // Values that a stage has encoded remain encoded.
  const bool has_curve = color.curve == Curve::raw || home.curve == Curve::raw ||
                         (color.curve == home.curve && color.gamma == home.gamma);
  const bool has_form =
      !has_alpha || !color.alpha_covers || color.premultiplied == home.premultiplied;
  if (context.raw || !has_color || (has_curve && has_form)) return Values::stored;
  if (home.premultiplied) return Values::linear;
  return home.curve == Curve::linear ? Values::straight : Values::encoded;
}

std::vector<Values> layers_in_file(const Spec& spec, const StageContext& context) {
  const Values wanted = values_in_file(spec, context);
  std::vector<Values> values;
  for (const LayerSpec& layer : spec.layers)
    values.push_back(layer.holds_ids() ? Values::stored : wanted);
  return values;
}

void keep_premultiplied(const Spec& before, const Spec& after, LayerSpec& layer) {
  layer.stays_premultiplied = layer.is_color() && layer.alpha_index() >= 0 &&
                              !is_straight(before.color, layer) && is_straight(after.color);
}

Spec working_spec(const Spec& spec, const std::vector<Values>& wanted,
                  const StageContext& context) {
  Spec result = spec;
  bool encoded = false;
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    if (wanted[i] == Values::stored) continue;
    result.layers[i].type = PixelType::f32;
    result.layers[i].stays_premultiplied = false;
    if (!spec.layers[i].is_color() || encoded) continue;
    result.color = working_color(spec, wanted[i], context);
    encoded = true;
  }
  for (std::size_t i = 0; encoded && i < spec.layers.size(); ++i)
    if (wanted[i] == Values::stored) keep_premultiplied(spec, result, result.layers[i]);
  return result;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Deciding which steps a conversion takes, and taking them on rows in host memory.
#include "stages/conversion.h"

#include <algorithm>
#include <cstring>

#include "build_config.h"
#include "image/error.h"
#include "image/primaries.h"
#include "image/row_convert.h"

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

PixelForm form_of(const LayerSpec& layer, bool is_color) {
  PixelForm form;
  form.type = static_cast<std::uint8_t>(layer.type);
  form.channels = static_cast<std::int8_t>(layer.channel_count());
  form.alpha = static_cast<std::int8_t>(is_color ? layer.alpha_index() : -1);
  return form;
}

Encoding encoding_of(const ColorEncoding& color, int alpha) {
  return {transfer_of(color), alpha, alpha >= 0 && !color.premultiplied};
}

int index_of(const LayerSpec& layer, std::string_view channel) {
  const auto found = std::find(layer.channels.begin(), layer.channels.end(), channel);
  return found == layer.channels.end() ? -1 : static_cast<int>(found - layer.channels.begin());
}

// Where each target channel comes from: by name where the names agree, grey to each of R, G and B,
// a missing alpha is opaque; layers of other names go by position.
void choose_sources(const LayerSpec& from, const LayerSpec& to, PixelConversion& c) {
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
    c.source_channel[i] =
        static_cast<std::int8_t>(source < 0 && source != channel_one ? channel_zero : source);
  }
}

bool is_ascending(const std::int8_t* channels, int count) {
  for (int i = 0; i < count; ++i)
    if (channels[i] != i) return false;
  return true;
}

LayerConversion layer_conversion(const Spec& source, const Spec& target, int source_layer,
                                 const LayerSpec& to, const std::array<float, 3>& background,
                                 bool raw) {
  const LayerSpec& from = source.layers[static_cast<std::size_t>(source_layer)];
  LayerConversion result;
  result.source_layer = source_layer;
  PixelConversion& c = result.pixel;
  const bool is_color = from.is_color() && to.is_color() && !raw;
  c.from = form_of(from, is_color);
  c.to = form_of(to, is_color);
  choose_sources(from, to, c);
  c.composite = c.from.alpha >= 0 && c.to.alpha < 0;
  const Chromaticities rec709;
  const Chromaticities from_primaries = source.color.primaries.value_or(rec709);
  const Chromaticities to_primaries = target.color.primaries.value_or(rec709);
  c.change_primaries = is_color && from_primaries != to_primaries && index_of(from, "B") >= 0;
  if (c.change_primaries) {
    const Matrix3 matrix = rgb_to_rgb(from_primaries, to_primaries);
    for (int i = 0; i < 9; ++i) c.matrix[i] = static_cast<float>(matrix.m[i / 3][i % 3]);
  }
  const bool is_grey = index_of(from, "Y") >= 0;
  const float luminance =
      0.2126f * background[0] + 0.7152f * background[1] + 0.0722f * background[2];
  for (std::size_t i = 0; i < 3; ++i) c.background[i] = is_grey ? luminance : background[i];
  const Encoding decode = encoding_of(source.color, c.from.alpha);
  const Encoding encode = encoding_of(target.color, c.to.alpha);
  const bool through_light =
      is_color && (c.composite || c.change_primaries || decode.transfer != encode.transfer ||
                   (c.from.alpha >= 0 && decode.straight_alpha != encode.straight_alpha));
  if (through_light) {
    c.from.encoding = decode;
    c.to.encoding = encode;
  }
  c.maps_channels = c.composite || c.change_primaries ||
                    from.channel_count() != to.channel_count() ||
                    !is_ascending(c.source_channel, c.to.channels);
  result.moves_only = from.type == to.type && !through_light && !c.maps_channels;
  return result;
}

class ConversionOperation final : public Operation {
 public:
  ConversionOperation(const Spec& source, Spec target, std::vector<LayerConversion> layers)
      : output_(std::move(target)), data_window_(source.data_window), layers_(std::move(layers)) {}

  const Spec& output() const override { return output_; }
  Rect needed(const Rect& region) const override { return intersection(region, data_window_); }
  Values values(int) const override { return Values::stored; }
  int source_layer(int layer) const override { return of(layer).source_layer; }

  void run(const Queue& queue, int layer, const Frame& source, const Frame& target) const override {
    if constexpr (build::has_cuda)
      if (queue.is_cuda()) return convert_on_cuda(queue, of(layer), source, target);
    convert_on_cpu(of(layer), source, target);
  }

 private:
  const LayerConversion& of(int layer) const { return layers_[static_cast<std::size_t>(layer)]; }

  Spec output_;
  Rect data_window_;
  std::vector<LayerConversion> layers_;
};

void move_rows(const Frame& source, const Frame& target) {
  const Rect& t = target.region();
  const Rect covered = intersection(source.region(), t);
  const std::size_t pixel = target.format().pixel_bytes();
  for (int y = t.y; y < t.bottom(); ++y) {
    if (covered != t)
      std::memset(target.pixel(t.x, y), 0, pixel * static_cast<std::size_t>(t.width));
    if (y >= covered.y && y < covered.bottom() && covered.width > 0)
      std::memcpy(target.pixel(covered.x, y), source.pixel(covered.x, y),
                  pixel * static_cast<std::size_t>(covered.width));
  }
}

}  // namespace

std::unique_ptr<Operation> make_conversion(const Spec& source, const Spec& target,
                                           const std::vector<int>& sources,
                                           const std::array<float, 3>& background, bool raw) {
  std::vector<LayerConversion> layers;
  for (std::size_t i = 0; i < target.layers.size(); ++i)
    layers.push_back(
        layer_conversion(source, target, sources[i], target.layers[i], background, raw));
  return std::make_unique<ConversionOperation>(source, target, std::move(layers));
}

bool is_light_as_stored(const Spec& spec, const LayerSpec& layer, bool raw) {
  if (layer.type == PixelType::u32) return false;
  return raw || !layer.is_color() ||
         (spec.color.curve == Curve::linear &&
          (spec.color.premultiplied || layer.alpha_index() < 0));
}

Spec working_spec(const Spec& spec, const std::vector<bool>& wanted, bool raw) {
  Spec result = spec;
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    if (!wanted[i]) continue;
    result.layers[i].type = PixelType::f32;
    if (spec.layers[i].is_color() && !raw)
      result.color = {Curve::linear, 1.0f, true, spec.color.primaries};
  }
  return result;
}

void convert_on_cpu(const LayerConversion& conversion, const Frame& source, const Frame& target) {
  if (conversion.moves_only) return move_rows(source, target);
  const PixelConversion& c = conversion.pixel;
  const Rect& t = target.region();
  const Rect covered = intersection(source.region(), t);
  const RowFormat from{static_cast<PixelType>(c.from.type), c.from.channels, c.from.encoding};
  const RowFormat to{static_cast<PixelType>(c.to.type), c.to.channels, c.to.encoding};
  // Float rows that need no more than decoding go straight to where they are wanted.
  const bool to_float = to.type == PixelType::f32 && to.encoding.transfer == Transfer{} &&
                        !to.encoding.straight_alpha;
  const auto width = static_cast<std::size_t>(t.width);
  std::vector<float> decoded(width * static_cast<std::size_t>(c.from.channels));
  std::vector<float> mapped(c.maps_channels ? width * static_cast<std::size_t>(c.to.channels) : 0);
  for (int y = t.y; y < t.bottom(); ++y) {
    float* light = to_float && !c.maps_channels ? target.pixel_as<float>(t.x, y) : decoded.data();
    const bool inside = y >= covered.y && y < covered.bottom() && covered.width > 0;
    if (!inside || covered.width != t.width)
      std::fill_n(light, width * static_cast<std::size_t>(c.from.channels), 0.0f);
    if (inside)
      rows_to_working(from, source.pixel(covered.x, y),
                      light + static_cast<std::ptrdiff_t>(covered.x - t.x) * from.channels,
                      static_cast<std::size_t>(covered.width));
    if (c.maps_channels) {
      float* const result = to_float ? target.pixel_as<float>(t.x, y) : mapped.data();
      for (std::size_t x = 0; x < width; ++x)
        convert_light(c, light + x * static_cast<std::size_t>(c.from.channels),
                      result + x * static_cast<std::size_t>(to.channels));
      light = result;
    }
    if (!to_float) working_to_rows(to, light, target.pixel(t.x, y), width);
  }
}

}  // namespace cuimg

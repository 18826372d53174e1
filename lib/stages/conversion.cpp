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

PixelEncoding encoding_of(const Spec& spec, const LayerSpec& layer, bool raw) {
  PixelEncoding e;
  e.type = static_cast<std::uint8_t>(layer.type);
  e.channels = static_cast<std::int8_t>(layer.channel_count());
  e.is_color = layer.is_color() && !raw;
  e.alpha = static_cast<std::int8_t>(e.is_color ? layer.alpha_index() : -1);
  e.premultiplied = spec.color.premultiplied || e.alpha < 0;
  e.transfer = e.is_color ? transfer_of(spec.color) : Transfer{};
  return e;
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

LayerConversion layer_conversion(const Spec& source, const Spec& target, int source_layer,
                                 const LayerSpec& to, const std::array<float, 3>& background,
                                 bool raw) {
  const LayerSpec& from = source.layers[static_cast<std::size_t>(source_layer)];
  LayerConversion result;
  result.source_layer = source_layer;
  PixelConversion& c = result.pixel;
  c.from = encoding_of(source, from, raw);
  c.to = encoding_of(target, to, raw);
  const bool is_color = c.from.is_color && c.to.is_color;
  if (!is_color) {
    c.from.alpha = c.to.alpha = -1;
    c.from.is_color = c.to.is_color = false;
    c.from.transfer = c.to.transfer = {};
  }
  choose_sources(from, to, c);
  const bool same_channels = from.channels == to.channels;
  c.composite = is_color && c.from.alpha >= 0 && c.to.alpha < 0;
  const Chromaticities rec709;
  const Chromaticities from_primaries = source.color.primaries.value_or(rec709);
  const Chromaticities to_primaries = target.color.primaries.value_or(rec709);
  c.change_primaries = is_color && from_primaries != to_primaries && index_of(from, "B") >= 0;
  if (c.change_primaries) {
    const Matrix3 matrix = rgb_to_rgb(from_primaries, to_primaries);
    for (int i = 0; i < 9; ++i) c.matrix[i] = static_cast<float>(matrix[i / 3][i % 3]);
  }
  const bool is_grey = index_of(from, "Y") >= 0;
  const float luminance =
      0.2126f * background[0] + 0.7152f * background[1] + 0.0722f * background[2];
  for (std::size_t i = 0; i < 3; ++i) c.background[i] = is_grey ? luminance : background[i];
  c.through_light =
      is_color && (c.composite || c.change_primaries || c.from.transfer != c.to.transfer ||
                   (c.from.alpha >= 0 && c.from.premultiplied != c.to.premultiplied));
  result.moves_only = same_channels && from.type == to.type && !c.through_light;
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

bool is_ascending(const std::int8_t* channels, int count) {
  for (int i = 0; i < count; ++i)
    if (channels[i] != i) return false;
  return true;
}

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
  const bool remaps = c.composite || c.change_primaries || c.from.channels != c.to.channels ||
                      !is_ascending(c.source_channel, c.to.channels);
  const auto from_type = static_cast<PixelType>(c.from.type);
  const auto to_type = static_cast<PixelType>(c.to.type);
  const Transfer decode = c.through_light ? c.from.transfer : Transfer{};
  const Transfer encode = c.through_light ? c.to.transfer : Transfer{};
  const bool premultiply = c.through_light && !c.from.premultiplied;
  const bool unpremultiply = c.through_light && !c.to.premultiplied;
  // Float rows that need no more than decoding go straight to where they are wanted.
  const bool to_float = to_type == PixelType::f32 && encode == Transfer{} && !unpremultiply;
  const auto width = static_cast<std::size_t>(t.width);
  std::vector<float> decoded(width * static_cast<std::size_t>(c.from.channels));
  std::vector<float> mapped(remaps ? width * static_cast<std::size_t>(c.to.channels) : 0);
  for (int y = t.y; y < t.bottom(); ++y) {
    float* light = to_float && !remaps ? target.pixel_as<float>(t.x, y) : decoded.data();
    const bool inside = y >= covered.y && y < covered.bottom() && covered.width > 0;
    if (!inside || covered.width != t.width)
      std::fill_n(light, width * static_cast<std::size_t>(c.from.channels), 0.0f);
    if (inside)
      rows_to_working(
          from_type, c.from.channels, c.from.alpha, decode, premultiply, source.pixel(covered.x, y),
          light + static_cast<std::ptrdiff_t>(covered.x - t.x) * c.from.channels, covered.width);
    if (remaps) {
      float* to = to_float ? target.pixel_as<float>(t.x, y) : mapped.data();
      for (std::size_t x = 0; x < width; ++x)
        convert_light(c, light + x * static_cast<std::size_t>(c.from.channels),
                      to + x * static_cast<std::size_t>(c.to.channels));
      light = to;
    }
    if (!to_float)
      working_to_rows(to_type, c.to.channels, c.to.alpha, encode, unpremultiply, light,
                      target.pixel(t.x, y), t.width);
  }
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// False colours: shows a value's position between two limits as a colour.
#include <algorithm>

#include "base/error.h"
#include "kernels/color/lut_op.h"
#include "stages/color/color_map_entries.h"
#include "stages/description.h"
#include "stages/pass/color_stage.h"

namespace cuimg {
namespace {

enum class ColorMap : std::uint8_t { magma, inferno, plasma, viridis, turbo };
[[maybe_unused]] std::span<const Choice<ColorMap>> choices_of(ColorMap) {
  static constexpr Choice<ColorMap> table[] = {
      {ColorMap::magma, "magma", "black, purple, pale yellow"},
      {ColorMap::inferno, "inferno", "black, red, yellow"},
      {ColorMap::plasma, "plasma", "blue, pink, yellow"},
      {ColorMap::viridis, "viridis", "purple, green, yellow"},
      {ColorMap::turbo, "turbo", "a rainbow without dark bands"}};
  return table;
}

struct Colormap {
  ColorMap map = ColorMap::viridis;
  float min = 0, max = 1;
};

struct Entries {
  const ColorMapEntries* colors;
  double parts;  ///< The table's value for 1.
};
constexpr Entries entries_of_map[] = {{&magma_entries, 1e6},
                                      {&inferno_entries, 1e6},
                                      {&plasma_entries, 1e6},
                                      {&viridis_entries, 1e6},
                                      {&turbo_entries, 1e5}};

// The value is the luminance of a layer with three colours, otherwise its first channel. Alpha does
// not change.
ColorChange mapped(const LayerSpec& layer, ColorMapTable op) {
  const PixelShape shape = form_of(layer).shape;
  op.mixes = shape.colors == 3;
  constexpr float rec709[3] = {0.2126f, 0.7152f, 0.0722f};
  std::copy_n(rec709, 3, op.weights);
  LayerSpec colored = layer;
  colored.channels = {"R", "G", "B"};
  if (shape.alpha >= 0) colored.channels.push_back("A");
  op.to = form_of(colored).shape;
  // A reader must not take the colours of Z for the picture's.
  const std::string name = layer.is_color() || !layer.name.empty() ? "" : layer.channels.front();
  return {{op}, {}, colored.channels, name};
}

std::unique_ptr<Operation> colormap(const Colormap& p, const Spec& input,
                                    const StageContext& context) {
  const Entries& entries = entries_of_map[static_cast<std::size_t>(p.map)];
  auto values = std::make_shared<std::vector<float>>();
  for (int c = 0; c < 3; ++c)
    for (const auto& entry : *entries.colors)
      values->push_back(static_cast<float>(entry[c] / entries.parts));
  ColorMapTable op;
  op.table = values->data();
  op.table_size = static_cast<int>(values->size());
  op.size = 256;
  const double min = static_cast<double>(p.min), scale = 255 / (static_cast<double>(p.max) - min);
  op.axis = {static_cast<float>(scale), static_cast<float>(-min * scale)};
  const auto with_map = [&](const LayerSpec& layer) {
    ColorChange change = mapped(layer, op);
    change.tables.push_back(values);
    return change;
  };
  constexpr double cost_ns = 10;
  // The map's colours are sRGB. If other layers of the picture remain linear, these are converted
  // to linear too.
  if (input.has_color())
    return make_color_operation(input, context, Values::encoded, with_map,
                                {.cost_ns = cost_ns,
                                 .color = ColorEncoding{Curve::srgb, 1.0f, false, primaries::rec709,
                                                        context.home.premultiplied}});
  return make_color_operation(
      input, context, Values::linear,
      [&](const LayerSpec& layer) {
        ColorChange change = with_map(layer);
        if (context.raw) return change;
        change.ops.push_back(*decoding_curve({TransferCurve::srgb}, 0b111));
        const Chromaticities own = input.color.primaries.value_or(primaries::rec709);
        if (own != primaries::rec709) {
          LayerSpec colored = layer;
          colored.channels = change.channels;
          change.ops.push_back(primaries_op(primaries::rec709, own, colored));
        }
        return change;
      },
      {.cost_ns = cost_ns});
}

}  // namespace

StageDescription colormap_stage() {
  using C = Colormap;
  return describe<C>("colormap", "show values as false colours", Kind::filter)
      .param("map", &C::map, "colours for the values from --min to --max")
      .param("min", &C::min, "value of the first colour; values beyond it get that colour too")
      .param("max", &C::max, "value of the last colour; below --min reverses the map")
      .details(
          "A grey image's value, or the Rec.709 luminance of three colours, chooses the colour. "
          "Values are as the file stores them, not premultiplied: an integer file's codes are 0 to "
          "1, an EXR's values are taken as they are. Between two of a map's 256 colours, the "
          "colour is interpolated linearly in sRGB, in which the maps are defined: a PNG stores "
          "these values, an EXR their light. For a layer without colour that --layers names, the "
          "first channel is shown as a new colour layer: Z becomes Z.R, Z.G and Z.B. Alpha stays; "
          "NaN stays NaN.\n\nMaps: matplotlib's magma, inferno, plasma and viridis (N. J. Smith, "
          "S. van der Walt, E. Firing; CC0), and turbo (A. Mikhailov, Google; Apache-2.0).")
      .example("cuimg colormap --map turbo --min 0.5 --max 20 --layers Z depth.exr out.png")
      .on_color_layers()
      .check([](const C& p) {
        if (p.min == p.max)
          throw Error("colormap", "--min and --max are both " + format_value(p.min),
                      "let them differ; --min above --max reverses the map");
      })
      .prepare(colormap);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Mask: a second image says how much of the picture is kept.
#include <algorithm>

#include "base/error.h"
#include "image/row_convert.h"
#include "stages/combine/combine.h"
#include "stages/description.h"
#include "stages/pass/conversion.h"
#include "stages/registry.h"

namespace cuimg {
namespace {

enum class MaskChannel : std::uint8_t { luminance, alpha };
std::span<const Choice<MaskChannel>> choices_of(MaskChannel) {
  static constexpr Choice<MaskChannel> choices[] = {
      {MaskChannel::luminance, "luminance", "0.2126 R + 0.7152 G + 0.0722 B, or Y"},
      {MaskChannel::alpha, "alpha"}};
  return choices;
}

struct MaskWith {
  std::string with;
  MaskChannel channel = MaskChannel::luminance;
  bool invert = false;
};

// What one pixel of the file says.
struct Reading {
  int channels, red, green, blue, alpha;  // -1: none
  bool by_luminance, times_alpha;

  float of(const float* v) const {
    if (!by_luminance) return v[alpha];
    const float light =
        green < 0 || blue < 0 ? v[red] : 0.2126f * v[red] + 0.7152f * v[green] + 0.0722f * v[blue];
    return times_alpha ? light * v[alpha] : light;
  }
};

Reading reading_of(const LayerSpec& layer, const MaskWith& p, bool premultiplied) {
  Reading r{layer.channel_count(),
            std::max(0, index_of(layer, "R")),
            index_of(layer, "G"),
            index_of(layer, "B"),
            index_of(layer, "A"),
            p.channel == MaskChannel::luminance,
            false};
  if (!r.by_luminance && r.alpha < 0)
    throw Error("mask", "--with " + p.with + " has no alpha", "use --channel luminance");
  r.times_alpha = r.alpha > 0 && !premultiplied;
  return r;
}

// One float a pixel. Coverage is no light: 128 of 255 keeps half, whatever curve the file has.
Image mask_image(const SecondImage& file, const MaskWith& p) {
  const Spec& spec = file.spec();
  auto layer = std::find_if(spec.layers.begin(), spec.layers.end(),
                            [](const LayerSpec& l) { return l.is_color(); });
  if (layer == spec.layers.end()) layer = spec.layers.begin();
  const int index = static_cast<int>(layer - spec.layers.begin());
  const Reading reading = reading_of(*layer, p, spec.color.premultiplied);
  Spec wanted = spec;
  wanted.layers = {{"", {"Y"}, PixelType::f32}};
  Image mask(wanted);
  const Rect& window = spec.data_window;
  const auto width = static_cast<std::size_t>(window.width);
  const auto channels = static_cast<std::size_t>(reading.channels);
  std::vector<float> values(width * channels);
  for (int y = window.y; y < window.bottom(); ++y) {
    rows_to_working({layer->type, reading.channels, {}}, file.image().row(index, y), values.data(),
                    width);
    auto* const target = reinterpret_cast<float*>(mask.row(0, y));
    for (std::size_t x = 0; x < width; ++x) target[x] = reading.of(&values[x * channels]);
  }
  return mask;
}

}  // namespace

const StageDescription& mask_stage() {
  static const StageDescription description =
      describe<MaskWith>("mask", "keep as much as a second image says", Kind::filter)
          .param("with", &MaskWith::with, "the mask", file())
          .param("channel", &MaskWith::channel, "what of the mask is meant")
          .param("invert", &MaskWith::invert, "keep what the mask would remove")
          .details(
              "Colour, in linear light and premultiplied, and alpha are multiplied by the mask. "
              "The mask's values are taken as stored, without a curve, since coverage is no light: "
              "128 of 255 keeps half. A translucent mask's luminance counts by its alpha. Where "
              "the mask has no pixels it is 0. A picture without alpha fades to black.")
          .example("cuimg mask --with matte.png in.exr out.exr")
          .on_color_layers()
          .prepare([](const MaskWith& p, const Spec& input, const StageContext& context) {
            StageContext as_stored = context;
            as_stored.raw = true;
            const SecondImage file("mask", "--with", p.with, as_stored);
            const SecondImage mask(mask_image(file, p));
            CombineRules rules;
            rules.channels = SecondChannels::one;
            rules.grows = false;
            rules.op = [&](const LayerSpec&, const LayerSpec&) -> CombineOp {
              return MaskBy{p.invert};
            };
            return make_combine_operation("mask", input, context, mask, true, rules);
          });
  return description;
}

}  // namespace cuimg

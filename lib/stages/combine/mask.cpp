// SPDX-License-Identifier: Apache-2.0
// Mask: multiplies the picture by a second image.
#include <algorithm>

#include "base/contains.h"
#include "base/error.h"
#include "image/row_convert.h"
#include "kernels/color/luminance.h"
#include "stages/combine/second_options.h"

namespace cuimg {
namespace {

enum class MaskChannel : std::uint8_t { luminance, alpha };
std::span<const Choice<MaskChannel>> choices_of(MaskChannel) {
  static constexpr Choice<MaskChannel> choices[] = {
      {MaskChannel::luminance, "luminance", "0.2126 R + 0.7152 G + 0.0722 B, or Y"},
      {MaskChannel::alpha, "alpha"}};
  return choices;
}

struct MaskWith : SecondOptions {
  MaskChannel channel = MaskChannel::luminance;
  bool invert = false;
};

// The mask's value for one pixel of the file.
struct Reading {
  int channels, red, green, blue, alpha;  // -1: not present
  bool by_luminance, times_alpha;

  float of(const float* v) const {
    if (!by_luminance) return v[alpha];
    const float light =
        green < 0 || blue < 0 ? v[red] : rec709_luminance(v[red], v[green], v[blue]);
    return times_alpha ? light * v[alpha] : light;
  }
};

// Values of a vector, several channels that could be meant, and ids are no mask.
int mask_layer(const Spec& file, const MaskWith& p) {
  const bool by_alpha = p.channel == MaskChannel::alpha;
  const auto fits = [&](const LayerSpec& layer) {
    if (layer.holds_ids()) return false;
    return by_alpha ? layer.alpha_index() >= 0 : layer.is_color() || layer.channel_count() == 1;
  };
  std::vector<int> found;
  for (int i = 0; i < file.layer_count(); ++i)
    if (fits(file.layer(i))) found.push_back(i);
  if (found.empty())
    throw Error("mask", "--with " + p.with + " has no " + (by_alpha ? "alpha" : "luminance"),
                by_alpha
                    ? "use --channel luminance"
                    : "make a picture of the channel that is the mask: channels --pick Y=NAME");
  const int color = file.first_color();
  if (contains(found, color)) return color;
  if (found.size() > 1 && !by_alpha)
    throw Error("mask", "--with " + p.with + " has several channels and no picture",
                "make a picture of the one that is the mask: channels --pick Y=NAME");
  return found.front();
}

Reading reading_of(const LayerSpec& layer, const MaskWith& p, bool premultiplied) {
  Reading r{layer.channel_count(),
            std::max(0, layer.channel_index("R")),
            layer.channel_index("G"),
            layer.channel_index("B"),
            layer.channel_index("A"),
            p.channel == MaskChannel::luminance,
            false};
  r.times_alpha = r.alpha > 0 && !premultiplied;
  return r;
}

Image mask_image(const Image& file, int layer, const Reading& reading, const Spec& wanted) {
  Image mask(wanted);
  const PixelType type = file.spec().layer(layer).type;
  const Rect& window = wanted.data_window;
  const auto width = static_cast<std::size_t>(window.width);
  const auto channels = static_cast<std::size_t>(reading.channels);
  std::vector<float> values(width * channels);
  for (int y = window.y; y < window.bottom(); ++y) {
    rows_to_working({type, reading.channels, {}}, file.row(layer, y), values.data(), width);
    auto* const target = reinterpret_cast<float*>(mask.row(0, y));
    for (std::size_t x = 0; x < width; ++x) target[x] = reading.of(&values[x * channels]);
  }
  return mask;
}

// One float per pixel. Coverage is not light: 128 of 255 keeps half, whatever the file's curve.
SharedImage::Use mask_of(const MaskWith& p) {
  const bool by_alpha = p.channel == MaskChannel::alpha;
  return {by_alpha ? "mask by alpha" : "mask by luminance", [p](const Spec& file) {
            const int index = mask_layer(file, p);
            const Reading reading = reading_of(file.layer(index), p, file.color.premultiplied);
            Spec wanted = file;
            wanted.layers = {{"", {"Y"}, PixelType::f32}};
            return SharedImage::Extract{wanted, [=](const Image& image) {
                                          return mask_image(image, index, reading, wanted);
                                        }};
          }};
}

}  // namespace

StageDescription mask_stage() {
  return describe_second(
             describe<MaskWith>("mask", "multiply by a second image's luminance or alpha",
                                Kind::filter),
             "the mask")
      .param("channel", &MaskWith::channel, "which values of the mask to use")
      .param("invert", &MaskWith::invert,
             "keep what the mask would remove, and remove what it would keep")
      .details(
          "Multiplies colour (in linear light, premultiplied) and alpha by the mask. The mask's "
          "values are used as stored, without a curve, since coverage is not light: 128 of 255 "
          "keeps half. A translucent mask's luminance is multiplied by its alpha. Of several "
          "layers "
          "the first with colours counts, or the only channel that is no id. Where the mask "
          "has no pixels it is 0. A picture without alpha fades to black.")
      .example("cuimg mask --with matte.png in.exr out.exr")
      .on_color_layers()
      .check([](const MaskWith& p) { p.check("mask"); })
      .prepare([](const MaskWith& p, const Spec& input, const StageContext& context) {
        StageContext as_stored = context;
        as_stored.raw = true;
        const SecondImage mask(p.with, as_stored, mask_of(p));
        CombineRules rules;
        rules.channels = SecondChannels::one;
        rules.grows = false;
        p.place_second("mask", input, mask, rules);
        rules.op = [&](const LayerSpec&, const LayerSpec&) -> CombineOp {
          return MaskBy{p.invert};
        };
        return make_combine_operation("mask", input, context, mask, true, rules);
      });
}

}  // namespace cuimg

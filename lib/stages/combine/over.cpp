// SPDX-License-Identifier: Apache-2.0
// The Porter-Duff operators: place one image over, inside or outside another.
#include <fmt/format.h>

#include <algorithm>

#include "base/message_text.h"
#include "stages/combine/second_options.h"

namespace cuimg {
namespace {

struct Operator {
  const char* name;
  const char* summary;
  const char* formula;  ///< F is the second image, P the picture, f and p their alphas.
  Share second, first;
};

// Whether an opaque picture stays opaque.
bool keeps_opaque(const Operator& op) {
  const bool all_of_second = op.second == Share::all || op.second == Share::inside;
  return op.first == (all_of_second ? Share::outside : Share::all);
}

bool reads_alpha(Share share) { return share == Share::inside || share == Share::outside; }

// Whether a layer has no alpha, in a picture that has one in another layer.
bool lacks_alpha(const LayerSpec& layer, const Spec& picture) {
  return layer.alpha_index() < 0 && std::ranges::any_of(picture.layers, [](const LayerSpec& other) {
           return other.alpha_index() >= 0;
         });
}

// Renderers write one alpha for all layers. An operator treats a layer without one as opaque, so
// its result differs from that of the layer with the alpha.
void warn_of_opaque_layers(const Operator& op, const Spec& input, const SecondImage& second,
                           const StageContext& context) {
  std::string names;
  for (const LayerSpec& layer : input.layers) {
    if (!layer.is_color()) continue;
    const LayerSpec* const other = second.counterpart(layer);
    if ((reads_alpha(op.second) && lacks_alpha(layer, input)) ||
        (reads_alpha(op.first) && other != nullptr && lacks_alpha(*other, second.spec())))
      add_item(names, layer.label());
  }
  if (!names.empty() && context.decode.warn)
    context.decode.warn(
        fmt::format("{}: layers without an alpha of their own count as opaque: {}; choose others "
                    "with --layers",
                    op.name, names));
}

std::unique_ptr<Operation> prepare(const Operator& op, const SecondOptions& p, const Spec& input,
                                   const StageContext& context) {
  const SecondImage second(p.with, context);
  warn_of_opaque_layers(op, input, second, context);
  CombineRules rules;
  rules.channels = SecondChannels::with_alpha;
  // An operator that uses the picture's alpha needs one where pixels are missing.
  const bool is_whole = input.data_window.contains(input.display_window);
  rules.adds_alpha = keeps_opaque(op) && (is_whole || op.second == Share::all) ? AlphaAdded::never
                                                                               : AlphaAdded::always;
  p.place_second(op.name, input, second, rules);
  rules.op = [&](const LayerSpec& layer, const LayerSpec& second_layer) {
    return porter_duff(op.second, op.first, layer, second_layer);
  };
  return make_combine_operation(op.name, input, context, second, context.raw, rules);
}

StageDescription describe_operator(const Operator& op) {
  return describe_second(describe<SecondOptions>(op.name, op.summary, Kind::filter),
                         "the second image")
      .details(
          std::string(op.formula) +
          ", with F the second image, P the picture, f and p their alphas (Porter and Duff 1984), "
          "in linear light, premultiplied; with --raw on the stored values. The output keeps the "
          "picture's display window; the second image's overscan counts only where the picture has "
          "overscan too. Without --gravity and --at, an image of another size must have windows "
          "that say where it lies. The second image is transparent beyond its pixels; an image or "
          "a layer without an alpha of its own is opaque where it has pixels. A layer is combined "
          "with the second image's layer of the same name, else with its first colour layer. A "
          "grey picture combined with a coloured image becomes RGB." +
          (!keeps_opaque(op) ? " A picture without alpha gets one."
           : op.second == Share::all
               ? ""
               : " A picture without alpha gets one where pixels are missing."))
      .example("cuimg " + std::string(op.name) +
               " --with logo.png --gravity southeast --at 20,20 in.exr out.exr")
      .example("cuimg " + std::string(op.name) +
               " --with 'fg.####.exr' 'bg.####.exr' 'out.####.exr'")
      .on_color_layers()
      .check([name = std::string(op.name)](const SecondOptions& p) { p.check(name); })
      .prepare([op](const SecondOptions& p, const Spec& input, const StageContext& context) {
        return prepare(op, p, input, context);
      });
}

}  // namespace

StageDescription over_stage() {
  return describe_operator(
      {"over", "lay a second image over the picture", "F + P (1 - f)", Share::all, Share::outside});
}

StageDescription dest_over_stage() {
  return describe_operator({"dest-over", "lay a second image under the picture", "F (1 - p) + P",
                            Share::outside, Share::all});
}

StageDescription in_stage() {
  return describe_operator(
      {"in", "keep a second image where the picture is", "F p", Share::inside, Share::none});
}

StageDescription dest_in_stage() {
  return describe_operator(
      {"dest-in", "keep the picture where a second image is", "P f", Share::none, Share::inside});
}

StageDescription out_stage() {
  return describe_operator({"out", "keep a second image where the picture is not", "F (1 - p)",
                            Share::outside, Share::none});
}

StageDescription dest_out_stage() {
  return describe_operator({"dest-out", "keep the picture where a second image is not", "P (1 - f)",
                            Share::none, Share::outside});
}

StageDescription atop_stage() {
  return describe_operator({"atop", "lay a second image over the picture, inside its shape",
                            "F p + P (1 - f)", Share::inside, Share::outside});
}

StageDescription dest_atop_stage() {
  return describe_operator({"dest-atop", "lay a second image under the picture, in its own shape",
                            "F (1 - p) + P f", Share::outside, Share::inside});
}

StageDescription xor_stage() {
  return describe_operator({"xor", "keep each of two images where the other is not",
                            "F (1 - p) + P (1 - f)", Share::outside, Share::outside});
}

}  // namespace cuimg

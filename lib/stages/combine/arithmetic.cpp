// SPDX-License-Identifier: Apache-2.0
// Arithmetic with a value or with a second image, and mixing with a second image.
#include "base/error.h"
#include "stages/combine/second_options.h"
#include "stages/pass/color_stage.h"

namespace cuimg {
namespace {

struct Arithmetic : SecondOptions {
  std::vector<float> value;
};

struct MixWith : SecondOptions {
  std::vector<float> amount = {0.5f};
};

/// The texts and details that differ between the stages, apart from their rule.
struct Wording {
  const char* name;
  const char* summary;
  const char* example;
  const char* about;  ///< What happens to alpha, and at the limits of the rule.
  bool grows = true;
  AlphaAdded adds_alpha = AlphaAdded::never;
  bool compares_channels = false;
};

// Multiplication by a value is the same as gain.
template <class Rule>
PixelOp value_op(const ChannelValues& values) {
  if constexpr (std::is_same_v<Rule, Product>) {
    return scale_op(values);
  } else {
    WithValue<Rule> op;
    std::copy(values.of, values.of + 4, op.value);
    op.touches_alpha = values.for_alpha;
    return op;
  }
}

template <class Rule>
std::unique_ptr<Operation> prepare(const Wording& words, const Arithmetic& p, const Spec& input,
                                   const StageContext& context) {
  if (!p.value.empty())
    return make_color_operation(input, context, Values::linear, [&](const LayerSpec& layer) {
      return ColorChange{{value_op<Rule>(channel_values(p.value, layer, 1, words.name))}};
    });
  const SecondImage second(p.with, context);
  CombineRules rules;
  rules.grows = words.grows;
  rules.leaves_outside = true;
  rules.adds_alpha = words.adds_alpha;
  rules.compares_channels = words.compares_channels;
  p.place_second(words.name, input, second, rules);
  rules.op = [&](const LayerSpec& layer, const LayerSpec&) -> CombineOp {
    return Each<Rule>{context.raw || !layer.is_color() ? -1 : layer.alpha_index()};
  };
  return make_combine_operation(words.name, input, context, second, context.raw, rules);
}

template <class Rule>
StageDescription describe_arithmetic(const Wording& words) {
  return describe_second(
             describe<Arithmetic>(words.name, words.summary, Kind::filter)
                 .param("value", &Arithmetic::value, "a number, one for all colours or one each"),
             "a second image, pixel by pixel")
      .details(
          std::string(words.about) +
          "\n\nWorks in linear light, premultiplied; with --raw on the stored values, for integers "
          "code / 255 or code / 65535, and on alpha like any channel. --value leaves alpha alone "
          "unless alpha has a value of its own. --gravity, --at or its own coordinates place a "
          "second image; if none of these do, its size must be the picture's. Inside its display "
          "window, pixels that it lacks are zero. Outside, only the pixels of its overscan count; "
          "where it has none the picture stays as it is. A layer is combined with the second "
          "image's layer of the same name, else with its first colour layer.")
      .example(words.example)
      .on_color_layers()
      .check([name = std::string(words.name)](const Arithmetic& p) {
        if (p.value.empty() == p.with.empty())
          throw Error(
              name, p.value.empty() ? "neither --value nor --with is given" : "--value and --with",
              "give one of the two");
        p.check_optional(name);
      })
      .prepare([words](const Arithmetic& p, const Spec& input, const StageContext& context) {
        return prepare<Rule>(words, p, input, context);
      });
}

Mix mix_of(const std::vector<float>& amount, const LayerSpec& layer) {
  const float rest = amount.size() == 1 ? amount.front() : 0;
  const ChannelValues values = channel_values(amount, layer, rest, "mix");
  Mix mix;
  std::copy(values.of, values.of + 4, mix.amount);
  return mix;
}

}  // namespace

StageDescription add_stage() {
  return describe_arithmetic<Sum>({"add", "add a value or a second image",
                                   "cuimg add --with glow.exr in.exr out.exr",
                                   "Two images' alphas add up to 1 at most."});
}

StageDescription sub_stage() {
  return describe_arithmetic<Difference>(
      {"sub", "subtract a value or a second image", "cuimg sub --with dark.exr in.exr out.exr",
       "Of two images' alphas the larger stays, so that opaque pictures stay opaque. Equal "
       "infinities differ by 0."});
}

StageDescription mul_stage() {
  return describe_arithmetic<Product>(
      {"mul", "multiply by a value or a second image", "cuimg mul --with shade.exr in.exr out.exr",
       "Two images' alphas are multiplied too; one that is missing counts as 1.", false,
       AlphaAdded::where_second_has_one});
}

StageDescription div_stage() {
  return describe_arithmetic<Quotient>(
      {"div", "divide by a value or a second image", "cuimg div --with flat.exr in.exr out.exr",
       "Division by zero gives 0, as in oiiotool. Two images' alphas are divided too.", false});
}

StageDescription min_stage() {
  return describe_arithmetic<Smaller>(
      {"min", "the smaller of a value or a second image", "cuimg min --value 1 in.exr out.exr",
       "-0 counts as less than +0. A NaN is ignored unless both are NaN. The same holds for alpha; "
       "a missing one counts as 1.",
       true, AlphaAdded::where_second_has_one});
}

StageDescription max_stage() {
  return describe_arithmetic<Larger>({"max", "the larger of a value or a second image",
                                      "cuimg max --value 0 in.exr out.exr",
                                      "-0 counts as less than +0. A NaN is ignored unless both are "
                                      "NaN. The same holds for alpha."});
}

StageDescription absdiff_stage() {
  return describe_arithmetic<Distance>(
      {"absdiff", "the absolute difference from a value or a second image",
       "cuimg absdiff --with before.exr after.exr out.exr",
       "Alpha is subtracted like any channel; a missing one counts as 1. Colours are compared as "
       "the picture's file holds them, straight or premultiplied, and are not multiplied by the "
       "difference of the alphas. Later stages treat that difference as a value next to the "
       "colours; once read back from a file it counts as their alpha again. Equal infinities "
       "differ by 0.",
       true, AlphaAdded::where_second_has_one, true});
}

StageDescription mix_stage() {
  return describe_second(describe<MixWith>("mix", "mix with a second image", Kind::filter),
                         "the second image")
      .param("amount", &MixWith::amount, range(0, 1),
             "share of the second image; one for all channels or one each")
      .details(
          "Computes P (1 - amount) + F amount, with P the picture and F the second image, in "
          "linear light, premultiplied; with --raw on the stored values. A single amount applies "
          "to alpha too; one for each colour leaves alpha alone; with as many as channels the last "
          "one is for alpha. An amount of 0 or 1 keeps one of the images unchanged, infinities "
          "included. The second image lies where --gravity, --at or its own coordinates put it, "
          "and is transparent beyond its pixels, where a picture without alpha fades to black; a "
          "missing alpha counts as 1. A layer is mixed with the second image's layer of the same "
          "name, else with its first colour layer.")
      .example("cuimg mix --with graded.exr --amount 0.3 in.exr out.exr")
      .on_color_layers()
      .check([](const MixWith& p) { p.check("mix"); })
      .prepare([](const MixWith& p, const Spec& input, const StageContext& context) {
        const SecondImage second(p.with, context);
        CombineRules rules;
        rules.adds_alpha = AlphaAdded::where_second_has_one;
        p.place_second("mix", input, second, rules);
        rules.op = [&](const LayerSpec& layer, const LayerSpec&) -> CombineOp {
          return mix_of(p.amount, layer);
        };
        return make_combine_operation("mix", input, context, second, context.raw, rules);
      });
}

}  // namespace cuimg

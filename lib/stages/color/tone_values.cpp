// SPDX-License-Identifier: Apache-2.0
// gamma, levels, contrast, threshold and invert: curves applied to the values as the picture's file
// holds them.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "stages/color/line_through.h"
#include "stages/color/powers.h"
#include "stages/color/stretch.h"
#include "stages/color/value_words.h"
#include "stages/description.h"
#include "stages/pass/color_stage.h"
#include "stages/pass/conversion.h"

namespace cuimg {
namespace {

struct Gamma {
  std::vector<float> value = {1};
};

struct Levels {
  std::vector<float> black = {0}, white = {1}, gamma = {1}, out_black = {0}, out_white = {1};
};

struct Contrast {
  std::vector<float> amount = {1};
  std::vector<float> pivot;
};

struct Cut {
  std::vector<float> level = {0.5f}, low = {0}, high = {1};
};

// x ^ (1 / gamma).
void append_roots(const ChannelValues& gamma, std::uint8_t channels, std::vector<PixelOp>& ops) {
  append_powers([&](int c) { return 1 / static_cast<double>(gamma.of[c]); }, channels, ops);
}

std::uint8_t touched_by(const LayerSpec& layer, bool alpha_too) {
  const int alpha = form_of(layer).shape.alpha;
  const int extra = alpha_too && alpha >= 0 ? 1 << alpha : 0;
  return static_cast<std::uint8_t>(color_channels(layer) | extra);
}

[[noreturn]] void refuse_levels() {
  throw Error("levels", "--black and --white are equal", "give two different values");
}

ColorChange levels_of(const Levels& p, const LayerSpec& layer) {
  const auto values = [&](const std::vector<float>& given, float rest) {
    return channel_values(given, layer, rest, "levels");
  };
  const ChannelValues black = values(p.black, 0), white = values(p.white, 1);
  const ChannelValues gamma = values(p.gamma, 1), out_black = values(p.out_black, 0);
  const ChannelValues out_white = values(p.out_white, 1);
  const std::uint8_t channels =
      touched_by(layer, black.for_alpha || white.for_alpha || gamma.for_alpha ||
                            out_black.for_alpha || out_white.for_alpha);
  for (int c = 0; c < 4; ++c)
    if (has_channel(channels, c) && black.of[c] == white.of[c]) refuse_levels();
  const auto d = [](const ChannelValues& v, int c) { return static_cast<double>(v.of[c]); };
  ColorChange change;
  std::array<Stretch, 4> before, after;
  for (int c = 0; c < 4; ++c) {
    if (!has_channel(channels, c)) continue;
    const auto at = static_cast<std::size_t>(c);
    before[at] = {black.of[c], white.of[c], 0, 1};
    after[at] = {0, 1, d(out_black, c), d(out_white, c)};
  }
  append_stretch(channels, before, change.ops);
  append_roots(gamma, channels, change.ops);
  if (p.out_black != Levels{}.out_black || p.out_white != Levels{}.out_white)
    append_stretch(channels, after, change.ops);
  return change;
}

ColorChange threshold_of(const Cut& p, const LayerSpec& layer) {
  const ChannelValues level = channel_values(p.level, layer, p.level.front(), "threshold");
  const ChannelValues low = channel_values(p.low, layer, 0, "threshold");
  const ChannelValues high = channel_values(p.high, layer, 1, "threshold");
  const std::uint8_t channels =
      touched_by(layer, level.for_alpha || low.for_alpha || high.for_alpha);
  Limit between;
  between.channels = channels;
  for (int c = 0; c < 4; ++c) {
    between.low[c] = std::min(low.of[c], high.of[c]);
    between.high[c] = std::max(low.of[c], high.of[c]);
  }
  // However small the difference from the level is, multiplying by this three times makes it
  // infinite; 0 stays 0.
  constexpr float steep = 0x1p127f;
  const Line grown = line_of(channels, [](int) -> LineThrough { return {0, steep, 0}; });
  return {{line_of(channels,
                   [&](int c) -> LineThrough {
                     return {level.of[c], high.of[c] < low.of[c] ? -steep : steep, 0};
                   }),
           grown,
           line_of(channels,
                   [&](int c) -> LineThrough {
                     return {0, steep, high.of[c]};
                   }),
           between}};
}

// For values of a picture as its file holds them. @param most the largest plausible value if the
// picture holds integers, which are 0 to 1 here.
void warn_of_codes(const char* option, const std::vector<float>& values, float most,
                   const Spec& input, const StageContext& context) {
  if (!context.decode.warn || std::ranges::any_of(values, [&](float v) { return !(v > most); }))
    return;
  for (const LayerSpec& layer : input.layers) {
    if (!layer.is_color() || (layer.type != PixelType::u8 && layer.type != PixelType::u16))
      continue;
    const int largest = layer.type == PixelType::u8 ? 255 : 65535;
    context.decode.warn(
        fmt::format("{0} {1}: integers are values of 0 to 1 here: {2:.6g}, which is "
                    "{1} / {3}, may be meant",
                    option, values.front(), values.front() / static_cast<float>(largest), largest));
    return;
  }
}

// With a factor of 1 the line would still round.
ColorChange contrast_of(const Contrast& p, const LayerSpec& layer, float middle) {
  const ChannelValues amount = channel_values(p.amount, layer, 1, "contrast");
  const ChannelValues pivot =
      channel_values(p.pivot.empty() ? std::vector{middle} : p.pivot, layer, 0, "contrast");
  std::uint8_t channels = touched_by(layer, amount.for_alpha || pivot.for_alpha);
  for (int c = 0; c < 4; ++c)
    if (amount.of[c] == 1) channels = static_cast<std::uint8_t>(channels & ~(1 << c));
  if (channels == 0) return {};
  return {{line_of(channels, [&](int c) -> LineThrough {
    return {static_cast<double>(pivot.of[c]), static_cast<double>(amount.of[c]),
            static_cast<double>(pivot.of[c])};
  })}};
}

}  // namespace

StageDescription gamma_stage() {
  return describe<Gamma>("gamma", "raise values to the power 1 / gamma", Kind::filter)
      .param("value", &Gamma::value, range(0.01, 100.0),
             "one for all colours or one each; above 1 brightens, below 1 darkens")
      .details("Computes x^(1 / value), as ImageMagick and Nuke do; mirrored below 0. " +
               std::string(least_of_powers) + " " + std::string(on_file_values) + " " +
               std::string(values_of_channels))
      .example("cuimg gamma --value 2.2 in.exr out.exr")
      .on_color_layers()
      .prepare(each_layer(Values::encoded, [](const Gamma& p, const LayerSpec& layer) {
        const ChannelValues gamma = channel_values(p.value, layer, 1, "gamma");
        ColorChange change;
        append_roots(gamma, touched_by(layer, gamma.for_alpha), change.ops);
        return change;
      }));
}

StageDescription levels_stage() {
  return describe<Levels>("levels", "stretch values between two ends", Kind::filter)
      .param("black", &Levels::black, "value that becomes --out-black; one for all or one each")
      .param("white", &Levels::white, "value that becomes --out-white")
      .param("gamma", &Levels::gamma, range(0.01, 100.0),
             "gamma of the values between; above 1 brightens them")
      .param("out-black", &Levels::out_black, "result of --black")
      .param("out-white", &Levels::out_white, "result of --white")
      .details(
          "Computes ((x - black) / (white - black))^(1 / gamma) (out-white - out-black) + "
          "out-black. Values beyond the ends are not cut off (clamp does that); the power is "
          "mirrored below 0. " +
          std::string(least_of_powers) + " " + std::string(on_file_values) + " " +
          std::string(values_of_channels))
      .example("cuimg levels --black 0.05 --white 0.9 --gamma 1.2 in.png out.png")
      .on_color_layers()
      .check([](const Levels& p) {
        if (p.black == p.white) refuse_levels();
      })
      .prepare([](const Levels& p, const Spec& input, const StageContext& context) {
        // A white of 2 darkens the picture.
        constexpr float most_black = 1, most_white = 16;
        warn_of_codes("levels: --black", p.black, most_black, input, context);
        warn_of_codes("levels: --white", p.white, most_white, input, context);
        return make_color_operation(input, context, Values::encoded,
                                    [&](const LayerSpec& layer) { return levels_of(p, layer); });
      });
}

StageDescription contrast_stage() {
  return describe<Contrast>("contrast", "more or less contrast about a middle value", Kind::filter)
      .param("amount", &Contrast::amount,
             "factor; one for all or one each; 1 changes nothing, 0 leaves only the pivot")
      .param("pivot", &Contrast::pivot,
             "the value that stays; default 0.5 for encoded values, 0.18 for light")
      .details("Computes (x - pivot) amount + pivot. " + std::string(on_file_values) + " " +
               std::string(values_of_channels))
      .example("cuimg contrast --amount 1.3 in.png out.png")
      .on_color_layers()
      .prepare([](const Contrast& p, const Spec& input, const StageContext& context) {
        const bool on_light =
            !context.raw && working_color(input, Values::encoded, context).curve == Curve::linear;
        const float middle = on_light ? 0.18f : 0.5f;
        const auto change = [&](const LayerSpec& layer) { return contrast_of(p, layer, middle); };
        if (std::ranges::count(p.amount, 1.0f) < std::ssize(p.amount))
          return make_color_operation(input, context, Values::encoded, change);
        for (const LayerSpec& layer : input.layers)
          if (!layer.holds_ids()) change(layer);  // throws if there are too many values
        return make_unchanged(input);
      });
}

StageDescription threshold_stage() {
  return describe<Cut>("threshold", "one value from a level on, another below it", Kind::filter)
      .param("level", &Cut::level, "the lowest value that becomes --high; one for all or one each")
      .param("low", &Cut::low, "what values below the level become")
      .param("high", &Cut::high, "what values from the level on become")
      .details(
          "Works on each channel separately. For one mask of the whole picture put grayscale or "
          "channels before it. Alpha stays, unless it has a value of its own. NaN stays NaN. " +
          std::string(on_file_values) + " " + std::string(values_of_channels))
      .example("cuimg threshold --level 0.5 in.png mask.png")
      .example("cuimg threshold --level 0.1,0.5,0.1 --high 0.8 in.exr out.exr")
      .on_color_layers()
      .prepare([](const Cut& p, const Spec& input, const StageContext& context) {
        warn_of_codes("threshold: --level", p.level, 1, input, context);
        return make_color_operation(input, context, Values::encoded,
                                    [&](const LayerSpec& layer) { return threshold_of(p, layer); });
      });
}

StageDescription invert_stage() {
  return describe<NoOptions>("invert", "a negative: 1 - x", Kind::filter)
      .details("Alpha stays. " + std::string(on_file_values))
      .example("cuimg invert in.png out.png")
      .on_color_layers()
      .prepare(each_layer(Values::encoded, [](const NoOptions&, const LayerSpec& layer) {
        return ColorChange{{line_of(color_channels(layer), [](int) -> LineThrough {
          return {0, -1, 1};
        })}};
      }));
}

}  // namespace cuimg

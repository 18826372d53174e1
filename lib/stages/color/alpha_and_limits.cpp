// SPDX-License-Identifier: Apache-2.0
// premult, unpremult and clamp: multiply colours by alpha or divide them by it, and limit values.
#include "base/error.h"
#include "stages/color/value_words.h"
#include "stages/description.h"
#include "stages/pass/color_stage.h"

namespace cuimg {
namespace {

struct Clamp {
  std::vector<float> min = {0}, max = {1};
};

template <class Op>
ColorChange with_alpha(const NoOptions&, const LayerSpec& layer) {
  return form_of(layer).shape.alpha < 0 ? ColorChange{} : ColorChange{{Op{}}};
}

[[noreturn]] void refuse_limits(const Clamp& p) {
  const Clamp unless_given;
  throw Error("clamp", "--min " + format_value(p.min) + " is above --max " + format_value(p.max),
              p.max == unless_given.max   ? "give a larger --max, which is 1 by default"
              : p.min == unless_given.min ? "give a smaller --min, which is 0 by default"
                                          : "exchange them");
}

// @param covers whether colours are premultiplied.
Limit limit_of(const Clamp& p, const LayerSpec& layer, bool covers) {
  const ChannelValues low = channel_values(p.min, layer, 0, "clamp");
  const ChannelValues high = channel_values(p.max, layer, 1, "clamp");
  const int alpha = form_of(layer).shape.alpha;
  Limit op;
  op.channels = color_channels(layer);
  if (alpha >= 0 && (low.for_alpha || high.for_alpha))
    op.channels = static_cast<std::uint8_t>(op.channels | (1 << alpha));
  op.by_alpha = static_cast<std::int8_t>(covers ? alpha : -1);
  for (int c = 0; c < 4; ++c) {
    if (has_channel(op.channels, c) && low.of[c] > high.of[c]) refuse_limits(p);
    op.low[c] = low.of[c];
    op.high[c] = high.of[c];
  }
  return op;
}

}  // namespace

StageDescription premult_stage() {
  return describe<NoOptions>("premult", "multiply colours by alpha", Kind::filter)
      .details(
          "For files whose colours are straight although their format means them premultiplied, "
          "such as an EXR with straight colours. Works in linear light; with --raw on the stored "
          "values. Stages that need straight or premultiplied colours convert them automatically.")
      .example("cuimg premult straight.exr out.exr")
      .on_color_layers()
      .prepare(each_layer(Values::linear, with_alpha<Premultiply>));
}

StageDescription unpremult_stage() {
  return describe<NoOptions>("unpremult", "divide colours by alpha", Kind::filter)
      .details(
          "Where alpha is 0, colours stay as they are. For files whose colours are premultiplied "
          "although their format means them straight, or for programs that expect straight colours "
          "in EXR. Works in linear light; with --raw on the stored values.")
      .example("cuimg unpremult in.exr straight.exr")
      .on_color_layers()
      .prepare(each_layer(Values::linear, with_alpha<Unpremultiply>));
}

StageDescription clamp_stage() {
  return describe<Clamp>("clamp", "keep values within limits", Kind::filter)
      .param("min", &Clamp::min, "the lowest value; one for all colours or one each")
      .param("max", &Clamp::max, "the highest")
      .details(
          "Limits apply to linear light with alpha divided out. (For premultiplied colours the "
          "limits are multiplied by alpha instead, so values inside them keep every bit.) Infinity "
          "becomes a limit; NaN stays (fixnan replaces it). With --raw limits apply to the stored "
          "values, for integers code / 255 or code / 65535. " +
          std::string(values_of_channels))
      .example("cuimg clamp --max 10 in.exr out.exr")
      .on_color_layers()
      .check([](const Clamp& p) {
        if (p.min.size() == 1 && p.max.size() == 1 && p.min[0] > p.max[0]) refuse_limits(p);
      })
      .prepare([](const Clamp& p, const Spec& input, const StageContext& context) {
        return make_color_operation(input, context, Values::linear, [&](const LayerSpec& layer) {
          const bool covers = !context.raw && input.color.alpha_covers;
          return ColorChange{{limit_of(p, layer, covers)}};
        });
      });
}

}  // namespace cuimg

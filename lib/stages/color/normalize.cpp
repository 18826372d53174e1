// SPDX-License-Identifier: Apache-2.0
// normalize: stretches a picture's range of values to another range.
#include <fmt/format.h>

#include "base/error.h"
#include "stages/color/measured_color.h"
#include "stages/color/stretch.h"
#include "stages/description.h"
#include "stages/pass/color_stage.h"

namespace cuimg {
namespace {

struct Normalize {
  float low = 0, high = 1;
  float cut = 0;
  bool each = false;
  EndsByLayer ends = {};  ///< Measured.
};

bool has_range(const ValueEnds& ends) { return ends.low < ends.high; }

ColorChange stretched(const Normalize& p, const LayerSpec& layer) {
  ColorChange change;
  const auto measured = p.ends.find(layer.full_name(0));
  if (measured == p.ends.end()) return change;
  std::array<Stretch, 4> stretches;
  for (std::size_t c = 0; c < stretches.size(); ++c)
    if (const ValueEnds& ends = measured->second[c]; has_range(ends))
      stretches[c] = {ends.low, ends.high, static_cast<double>(p.low), static_cast<double>(p.high)};
  append_stretch(color_channels(layer), stretches, change.ops);
  return change;
}

std::vector<std::string> explain_stretching(const Normalize& p, const Spec& input) {
  std::vector<std::string> lines;
  for (const LayerSpec& layer : input.layers) {
    const auto measured = p.ends.find(layer.full_name(0));
    if (measured == p.ends.end()) continue;
    for (int c = 0; c < layer.channel_count(); ++c) {
      if ((color_channels(layer) >> c & 1) == 0 || (!p.each && c > 0)) continue;
      const ValueEnds& ends = measured->second[static_cast<std::size_t>(c)];
      lines.push_back(fmt::format("{}: from {} to {}{}", layer.full_name(c), ends.low, ends.high,
                                  has_range(ends) ? "" : ", which leaves nothing to stretch"));
    }
  }
  return lines;
}

}  // namespace

StageDescription normalize_stage() {
  using N = Normalize;
  return describe<N>("normalize", "stretch the picture's values to a range", Kind::filter)
      .param("low", &N::low, "what the smallest value becomes")
      .param("high", &N::high, "what the largest value becomes")
      .param("cut", &N::cut, range(0, 49),
             "share of the values that may end below --low, and the same share above --high",
             unit("percent"))
      .param("each", &N::each, "stretch each channel separately, which changes hues")
      .details(
          "Like levels, with the picture's own smallest and largest value as black and white. With "
          "--cut, that share of all values lies below black, and as much above white. All colours "
          "of a layer are stretched by the same amount, unless --each is given. Infinities, NaN "
          "and fully transparent pixels are not counted; alpha stays. A picture with a single "
          "value stays as it is.\n\nWorks on values as the input's file encodes them (sRGB's in "
          "most formats, light in EXR), alpha divided out; with --raw on the stored values, of "
          "integers code / 255 or code / 65535. Values beyond the ends are not cut off; clamp does "
          "that.")
      .example("cuimg normalize --cut 0.5 scan.png out.png")
      .example("cuimg normalize --low 0.02 --high 0.9 + tonemap in.exr out.png")
      .on_color_layers()
      .measure(Values::encoded,
               [](const N& given, const Image& image, const MeasureContext& context) {
                 N result = given;
                 result.ends =
                     value_ends(image, context, static_cast<double>(given.cut) / 100, given.each);
                 return result;
               })
      .check([](const N& p) {
        if (p.low == p.high) throw Error("normalize", "--low and --high are equal", "give a range");
      })
      .prepare([](const N& p, const Spec& input, const StageContext& context) {
        return make_color_operation(input, context, Values::encoded,
                                    [&](const LayerSpec& layer) { return stretched(p, layer); },
                                    {.explanation = explain_stretching(p, input)});
      });
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// exposure and gain: multiply light by a factor.
#include "stages/color/exposure.h"

#include "base/exact_math.h"
#include "stages/color/value_words.h"
#include "stages/description.h"
#include "stages/pass/color_stage.h"

namespace cuimg {
namespace {

struct Gain {
  std::vector<float> value = {1};
};

ColorChange exposed(const Exposure& p, const LayerSpec& layer) {
  std::vector<float> factors;
  for (const float stops : p.stops)
    factors.push_back(static_cast<float>(exact::pow(2.0, static_cast<double>(stops))));
  return {{scale_op(channel_values(factors, layer, 1, "exposure"))}};
}

}  // namespace

StageDescription exposure_stage() {
  return describe<Exposure>("exposure", "brighten or darken by stops", Kind::filter)
      .param("stops", &Exposure::stops, stops_range, "change for all colours, or one for each",
             unit("stops"))
      .details("Light, premultiplied by alpha, is multiplied by 2^stops. " +
               std::string(values_of_channels))
      .example("cuimg exposure --stops 1.5 in.exr out.exr")
      .on_color_layers()
      .prepare(each_layer(Values::linear, exposed));
}

StageDescription gain_stage() {
  return describe<Gain>("gain", "multiply light by a factor", Kind::filter)
      .param("value", &Gain::value, "factor, one for all colours or one each")
      .details("Linear light, premultiplied by alpha, is multiplied. " +
               std::string(values_of_channels))
      .example("cuimg gain --value 1.1,1,0.9 in.exr out.exr")
      .on_color_layers()
      .prepare(each_layer(Values::linear, [](const Gain& p, const LayerSpec& layer) {
        return ColorChange{{scale_op(channel_values(p.value, layer, 1, "gain"))}};
      }));
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Exposure and gain: light times a factor.
#include "stages/color/exposure.h"

#include "base/exact_math.h"
#include "kernels/color/exposure_op.h"
#include "stages/description.h"
#include "stages/pass/color_stage.h"
#include "stages/registry.h"

namespace cuimg {
namespace {

struct Gain {
  std::vector<float> value = {1};
};

std::unique_ptr<Operation> scale(const std::vector<float>& factors, const Spec& input,
                                 const StageContext& context, const char* place) {
  return make_color_operation(input, context, Values::linear, [&](const LayerSpec& layer) {
    const ChannelValues values = channel_values(factors, layer, 1, place);
    Scale scale;
    std::copy(values.of, values.of + 4, scale.factor);
    scale.scales_alpha = values.for_alpha;
    return ColorChange{{scale}};
  });
}

}  // namespace

const StageDescription& exposure_stage() {
  static const StageDescription description =
      describe<Exposure>("exposure", "brighten or darken by stops", Kind::filter)
          .param("stops", &Exposure::stops, stops_range,
                 "one for all colours or one each; light times 2 to this power", unit("stops"))
          .example("cuimg exposure --stops 1.5 in.exr out.exr")
          .on_color_layers()
          .prepare([](const Exposure& p, const Spec& input, const StageContext& context) {
            std::vector<float> factors;
            for (const float stops : p.stops)
              factors.push_back(static_cast<float>(exact::pow(2.0, static_cast<double>(stops))));
            return scale(factors, input, context, "exposure");
          });
  return description;
}

const StageDescription& gain_stage() {
  static const StageDescription description =
      describe<Gain>("gain", "multiply light by a factor", Kind::filter)
          .param("value", &Gain::value, "one for all colours or one each")
          .details(
              "Linear light is multiplied. With as many values as channels the last is "
              "alpha's.")
          .example("cuimg gain --value 1.1,1,0.9 in.exr out.exr")
          .on_color_layers()
          .prepare([](const Gain& p, const Spec& input, const StageContext& context) {
            return scale(p.value, input, context, "gain");
          });
  return description;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// balance: removes a colour cast by making a picture's mean grey.
#include <fmt/format.h>

#include "kernels/color/luminance.h"
#include "stages/color/measured_color.h"
#include "stages/description.h"
#include "stages/pass/color_stage.h"

namespace cuimg {
namespace {

struct Balance {
  float amount = 1;
  MeansByLayer means = {};  ///< Measured means of R, G and B in light.
};

// The factors of R, G and B; 1 if a mean is not a valid amount of light.
std::array<double, 3> factors_of(const Balance& p, const LayerSpec& layer) {
  std::array<double, 3> factors = {1, 1, 1};
  const auto measured = p.means.find(layer.full_name(0));
  if (measured == p.means.end() || layer.channel_count() < 3 || !layer.is_color()) return factors;
  const std::array<double, 4>& mean = measured->second;
  if (!(mean[0] > 0 && mean[1] > 0 && mean[2] > 0)) return factors;
  const double grey = rec709_luminance(mean[0], mean[1], mean[2]);
  const auto amount = static_cast<double>(p.amount);
  for (std::size_t c = 0; c < 3; ++c) factors[c] = 1 + (grey / mean[c] - 1) * amount;
  return factors;
}

ColorChange balanced(const Balance& p, const LayerSpec& layer) {
  const std::array<double, 3> factors = factors_of(p, layer);
  Scale scale;
  std::fill(scale.factor, scale.factor + 4, 1.0f);
  for (std::size_t c = 0; c < 3; ++c) scale.factor[c] = static_cast<float>(factors[c]);
  ColorChange change;
  if (factors != std::array<double, 3>{1, 1, 1}) change.ops.push_back(scale);
  return change;
}

std::vector<std::string> explain_balance(const Balance& p, const Spec& input) {
  std::vector<std::string> lines;
  for (const LayerSpec& layer : input.layers) {
    if (!p.means.contains(layer.full_name(0))) continue;
    const auto [red, green, blue] = factors_of(p, layer);
    lines.push_back(
        fmt::format("{}: times {:.6g}, {:.6g} and {:.6g}", layer.full_name(0), red, green, blue));
  }
  return lines;
}

}  // namespace

StageDescription balance_stage() {
  return describe<Balance>("balance", "make the mean colour grey", Kind::filter)
      .param("amount", &Balance::amount, range(0, 1), "how much of the colour cast is removed")
      .details(
          "Multiplies red, green and blue so that their means over the picture become equal while "
          "its luminance stays. This is a white balance for scenes that are grey on average "
          "(Buchsbaum 1980). Works on linear light, where transparent pixels count less; with "
          "--raw on the stored values. Infinities and NaN are not counted. A grey picture stays as "
          "it is, and so does one where a mean is not above 0.")
      .example("cuimg balance in.jpg out.jpg")
      .on_color_layers()
      .measure(Values::linear,
               [](const Balance& given, const Image& image, const MeasureContext& context) {
                 return Balance{given.amount, value_means(image, context)};
               })
      .prepare([](const Balance& p, const Spec& input, const StageContext& context) {
        return make_color_operation(input, context, Values::linear,
                                    [&](const LayerSpec& layer) { return balanced(p, layer); },
                                    {.explanation = explain_balance(p, input)});
      });
}

}  // namespace cuimg

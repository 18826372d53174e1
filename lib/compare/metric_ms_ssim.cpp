// SPDX-License-Identifier: Apache-2.0
// MS-SSIM (Z. Wang, E. Simoncelli and A. Bovik, "Multi-Scale Structural Similarity for Image
// Quality Assessment", 2003): contrast and structure at five scales, luminance at the coarsest.
#include <array>

#include "base/exact_math.h"
#include "compare/structure_rows.h"

namespace cuimg {
namespace {

constexpr std::array<double, 5> weights = {0.0448, 0.2856, 0.3001, 0.2363, 0.1333};
// Where the coarsest scale still holds a window.
constexpr int least_side = (structure_window - 1) * 16 + 1;

// A negative correlation has no power; it is as bad as none.
double weighed(double value, double weight) { return value > 0 ? exact::pow(value, weight) : 0.0; }

std::optional<double> multi_scale(Plane golden, Plane result, double range, const Queue& queue) {
  double product = 1;
  for (std::size_t scale = 0; scale < weights.size(); ++scale) {
    if (scale > 0) golden = halved(golden), result = halved(result);
    const auto means = structure_means(golden, result, range, queue);
    if (!means) return std::nullopt;
    const bool coarsest = scale + 1 == weights.size();
    product *= weighed(coarsest ? means->similarity : means->contrast, weights[scale]);
  }
  return product;
}

std::vector<MetricValue> measure(const LayerPair& pair) {
  const LayerSpec& spec = pair.spec();
  const Rect& window = pair.window();
  const bool fits = window.width >= least_side && window.height >= least_side;
  if (spec.holds_ids() || !fits) return {{"ms_ssim", {}}};
  if (pair.is_equal()) return {{"ms_ssim", 1.0}};
  const bool is_rgb = spec.channel_count() >= 3 && spec.channels[2] == "B";
  const auto plane = [&](const Image& image) {
    return is_rgb ? luminance_plane(image, pair.layer(), pair.queue())
                  : channel_plane(image, pair.layer(), 0, pair.queue());
  };
  return {{"ms_ssim",
           multi_scale(plane(pair.golden()), plane(pair.result()), pair.range(), pair.queue())}};
}

}  // namespace

const Metric& ms_ssim_metric() {
  static const Metric metric = {
      "ms_ssim", "SSIM at five scales; from 161 pixels a side", true, false, measure, "", 1};
  return metric;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// MS-SSIM (Z. Wang, E. Simoncelli and A. Bovik, "Multi-Scale Structural Similarity for Image
// Quality Assessment", 2003): contrast and structure at five scales, luminance at the coarsest.
#include <array>

#include "base/exact_math.h"
#include "compare/metrics/structure_rows.h"

namespace cuimg {
namespace {

constexpr std::array<double, 5> weights = {0.0448, 0.2856, 0.3001, 0.2363, 0.1333};
// The least side for which the coarsest scale contains a window.
constexpr int least_side = (structure_window - 1) * 16 + 1;

// A negative correlation has no power; it counts as badly as none.
double weighed(double value, double weight) { return value > 0 ? exact::pow(value, weight) : 0.0; }

std::optional<double> multi_scale(const LayerPair& pair) {
  const LayerStructure& finest = pair.structure();
  std::optional<StructureMeans> means = finest.luminance;
  PlanePair planes;
  double product = 1;
  for (std::size_t scale = 0; scale < weights.size(); ++scale) {
    if (scale > 0) {
      if (scale > 1) planes = halved(scale == 2 ? finest.half : planes, pair.queue());
      means = structure_means(scale == 1 ? finest.half : planes, pair.range(), pair.queue());
    }
    if (!means) return std::nullopt;
    const bool coarsest = scale + 1 == weights.size();
    double mean = coarsest ? means->similarity : means->contrast;
    // The share of pixels that count is about the same at every scale.
    if (scale > 0) mean = mean_of_counted(mean, finest.windows_per_counted);
    product *= weighed(mean, weights[scale]);
  }
  return product;
}

std::vector<MetricValue> measure(const LayerPair& pair) {
  const LayerSpec& spec = pair.spec();
  const Rect& window = pair.window();
  const bool fits = window.width >= least_side && window.height >= least_side;
  if (spec.holds_ids() || !fits) return {{"ms_ssim", {}}};
  if (pair.is_equal()) return {{"ms_ssim", 1.0}};
  return {{"ms_ssim", multi_scale(pair)}};
}

}  // namespace

const Metric& ms_ssim_metric() {
  static const Metric metric = {
      "ms_ssim", "SSIM at five scales; needs sides of at least 161 pixels", true, false, measure,
      7};
  return metric;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Colour differences of single pixels' display colours: CIEDE2000, and HyAB in OKLab.
#include <algorithm>

#include "compare/metrics/color_rows.h"
#include "compare/metrics/metric.h"
#include "compare/metrics/row_sums.h"

namespace cuimg {
namespace {

std::vector<MetricValue> measure(const LayerPair& pair, const std::string& name,
                                 ColorDifference difference) {
  if (!pair.spec().is_color()) return {{name + ".mean", {}}};
  if (pair.is_equal()) return {{name + ".mean", 0.0}, {name + ".maximum", 0.0}};
  const bool shares_pictures =
      pair.queue().is_cuda() || pair.wants("flip") || pair.wants("hdr_flip");
  const std::vector<RowOfColors> rows =
      shares_pictures
          ? color_differences(difference, pair.shown(), pair.queue())
          : color_differences_of_rows(difference, pair.layers(), pair.options().background);
  const double sum = sum_in_pairs(0, rows.size(), [&](std::size_t y) { return rows[y].sum; });
  float largest = 0;
  for (const RowOfColors& row : rows) largest = std::max(largest, row.largest);
  return {{name + ".mean", sum / static_cast<double>(pair.differences().pixels)},
          {name + ".maximum", static_cast<double>(largest)}};
}

std::vector<MetricValue> delta_e_2000(const LayerPair& pair) {
  return measure(pair, "delta_e_2000", ColorDifference::delta_e_2000);
}
std::vector<MetricValue> oklab_hyab(const LayerPair& pair) {
  return measure(pair, "oklab_hyab", ColorDifference::oklab_hyab);
}

}  // namespace

const Metric& delta_e_2000_metric() {
  static constexpr Metric metric = {"delta_e_2000", "CIEDE2000", false, false, delta_e_2000, 23};
  return metric;
}

const Metric& oklab_hyab_metric() {
  static constexpr Metric metric = {
      "oklab_hyab", "HyAB in OKLab, white to black being 1", false, false, oklab_hyab, 14};
  return metric;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// FLIP and HDR-FLIP as numbers (P. Andersson et al. 2020 and 2021).
#include "compare/metrics/metric.h"
#include "compare/metrics/weighted_values.h"

namespace cuimg {
namespace {

// The errors of pixels that are not ignored.
FlipMap counted(const LayerPair& pair, const FlipMap& map) {
  FlipMap errors;
  for (std::size_t i = 0; i < map.on_cpu.size(); ++i)
    if (pair.ignored()[i] == 0) errors.on_cpu.push_back(map.on_cpu[i]);
  return errors;
}

std::vector<MetricValue> measure(const LayerPair& pair, const std::string& name, bool hdr) {
  if (!pair.spec().is_color()) return {{name + ".mean", {}}};
  // For equal pictures all are 0, without a map.
  const bool equal = pair.is_equal(), all_count = pair.ignored().empty();
  const FlipMap some = equal || all_count ? FlipMap() : counted(pair, pair.flip(hdr));
  const WeightedValues errors(!equal && all_count ? pair.flip(hdr) : some, pair.queue());
  std::vector<MetricValue> values = {{name + ".mean", errors.mean()},
                                     {name + ".weighted_median", errors.percentile(50)},
                                     {name + ".first_quartile", errors.percentile(25)},
                                     {name + ".third_quartile", errors.percentile(75)},
                                     {name + ".minimum", errors.minimum()},
                                     {name + ".maximum", errors.maximum()}};
  if (const auto percent = pair.options().flip_percent)
    values.push_back({name + ".percentile", errors.percentile(*percent)});
  return values;
}

std::vector<MetricValue> flip(const LayerPair& pair) { return measure(pair, "flip", false); }
std::vector<MetricValue> hdr_flip(const LayerPair& pair) { return measure(pair, "hdr_flip", true); }

}  // namespace

const Metric& flip_metric() {
  static constexpr Metric metric = {"flip", "FLIP of light clamped to 0 to 1", false, false, flip,
                                    57};
  return metric;
}

const Metric& hdr_flip_metric() {
  static constexpr Metric metric = {"hdr_flip", "FLIP over exposures; for half, float, PQ and HLG",
                                    false,      false,
                                    hdr_flip,   180};  // for four exposures
  return metric;
}

}  // namespace cuimg

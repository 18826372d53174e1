// SPDX-License-Identifier: Apache-2.0
// The metrics that need nothing but the one pass over the values.
#include <cmath>
#include <limits>

#include "base/exact_math.h"
#include "compare/metrics/metric.h"

namespace cuimg {
namespace {

using Values = std::vector<MetricValue>;

std::optional<double> unless_ids(const LayerPair& pair, double value) {
  return pair.spec().holds_ids() ? std::nullopt : std::optional(value);
}

double mean_square(const LayerPair& pair) {
  const Differences& d = pair.differences();
  // What has no difference is no part of the mean.
  const std::uint64_t values = d.values > d.mismatches ? d.values - d.mismatches : 0;
  return values == 0 ? 0 : d.sum_of_squares / static_cast<double>(values);
}

// 10 log10(x), the same on every machine.
double decibels(double ratio) { return 10 / 2.30258509299404568 * exact::log(ratio); }

}  // namespace

const Metric& max_absolute_metric() {
  static const Metric metric = {
      "max_absolute", "largest |a - b|", false, true, [](const LayerPair& pair) -> Values {
        return {{"max_absolute", unless_ids(pair, pair.differences().max_absolute)}};
      }};
  return metric;
}

const Metric& max_relative_metric() {
  static const Metric metric = {
      "max_relative", "largest |a - b| / max(|a|, |b|)", false, true,
      [](const LayerPair& pair) -> Values {
        return {{"max_relative", unless_ids(pair, pair.differences().max_relative)}};
      }};
  return metric;
}

const Metric& max_ulp_metric() {
  static const Metric metric = {
      "max_ulp", "most representable values apart", false, true,
      [](const LayerPair& pair) -> Values {
        return {{"max_ulp", unless_ids(pair, pair.differences().max_ulp)}};
      }};
  return metric;
}

const Metric& rmse_metric() {
  static const Metric metric = {"rmse", "root of the mean squared difference", false, true,
                                [](const LayerPair& pair) -> Values {
                                  return {{"rmse", unless_ids(pair, std::sqrt(mean_square(pair)))}};
                                }};
  return metric;
}

const Metric& psnr_metric() {
  static const Metric metric = {"psnr",
                                "peak signal to noise, in decibels",
                                true,
                                true,
                                [](const LayerPair& pair) -> Values {
                                  const double square = mean_square(pair), range = pair.range();
                                  const double psnr = square > 0
                                                          ? decibels(range * range / square)
                                                          : std::numeric_limits<double>::infinity();
                                  return {{"psnr", unless_ids(pair, psnr)}};
                                },
                                "",
                                std::numeric_limits<double>::infinity()};
  return metric;
}

}  // namespace cuimg

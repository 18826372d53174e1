// SPDX-License-Identifier: Apache-2.0
// The metrics that need only a single pass over the values.
#include <cmath>
#include <limits>

#include "base/exact_math.h"
#include "compare/metrics/metric.h"

namespace cuimg {
namespace {

using Values = std::vector<MetricValue>;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::optional<double> unless_ids(const LayerPair& pair, double value) {
  return pair.spec().holds_ids() ? std::nullopt : std::optional(value);
}

double mean_square(const LayerPair& pair) {
  const Differences& d = pair.differences();
  const std::uint64_t values = d.values_of_means();
  return values == 0 ? 0 : d.sum_of_squares / static_cast<double>(values);
}

// 10 log10(x), the same on every machine.
double decibels(double ratio) { return 10 / 2.30258509299404568 * exact::log(ratio); }

Values max_absolute(const LayerPair& pair) {
  return {{"max_absolute", unless_ids(pair, pair.differences().max_absolute)}};
}

Values max_relative(const LayerPair& pair) {
  return {{"max_relative", unless_ids(pair, pair.differences().max_relative)}};
}

Values max_ulp(const LayerPair& pair) {
  return {{"max_ulp", unless_ids(pair, pair.differences().max_ulp)}};
}

Values rmse(const LayerPair& pair) {
  return {{"rmse", unless_ids(pair, std::sqrt(mean_square(pair)))}};
}

Values psnr(const LayerPair& pair) {
  const double square = mean_square(pair), range = pair.range();
  return {{"psnr", unless_ids(pair, square > 0 ? decibels(range * range / square) : infinity)}};
}

constexpr Metric of_values[] = {
    {"max_absolute", "largest |a - b|", false, true, max_absolute},
    {"max_relative", "largest |a - b| / max(|a|, |b|)", false, true, max_relative},
    {"max_ulp", "largest distance in representable values", false, true, max_ulp},
    {"rmse", "root of the mean squared difference", false, true, rmse},
    {"psnr", "peak signal to noise, in decibels", true, true, psnr}};

}  // namespace

const Metric& max_absolute_metric() { return of_values[0]; }
const Metric& max_relative_metric() { return of_values[1]; }
const Metric& max_ulp_metric() { return of_values[2]; }
const Metric& rmse_metric() { return of_values[3]; }
const Metric& psnr_metric() { return of_values[4]; }

}  // namespace cuimg

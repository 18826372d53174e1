// SPDX-License-Identifier: Apache-2.0
#include "compare/compare.h"

#include "base/error.h"
#include "base/float_environment.h"
#include "compare/limit_options.h"
#include "compare/part_comparison.h"
#include "compare/verdict.h"

namespace cuimg {
namespace {

struct Checked : Limits {
  float pixels_per_degree = MetricOptions{}.pixels_per_degree, range = MetricOptions{}.range;
};

// What the command line would refuse: with a limit that holds for nothing all pictures were the
// same.
void check(const Limits& limits, const CompareOptions& options) {
  static const Description description = [] {
    auto to = describe<Checked>("compare", "");
    describe_limits(to);
    to.param("pixels-per-degree", &Checked::pixels_per_degree,
             MetricOptions::allowed_pixels_per_degree);
    to.param("range", &Checked::range, MetricOptions::allowed_range);
    return Description(to);
  }();
  const Checked values = {limits, options.metric.pixels_per_degree, options.metric.range};
  description.check_values(&values);
  check_limits(limits);
}

}  // namespace

Comparison compare(const Image& golden, const Image& result, const Limits& limits,
                   const CompareOptions& options, const Queue& queue) {
  const FloatEnvironment environment;
  check(limits, options);
  Comparison comparison;
  compare_part(golden, result, 0, limits, options, queue, comparison);
  summarize(comparison);
  decide(comparison);
  return comparison;
}

Comparison compare(const std::vector<Image>& golden, const std::vector<Image>& result,
                   const Limits& limits, const CompareOptions& options, const Queue& queue) {
  const FloatEnvironment environment;
  check(limits, options);
  if (golden.empty() && result.empty()) throw Error("compare", "there are no pictures");
  const auto names = [](const std::vector<Image>& parts) {
    std::vector<std::string> all;
    for (const Image& part : parts) all.push_back(part.spec().part_name);
    return all;
  };
  Comparison comparison;
  comparison.has_several_parts = golden.size() > 1 || result.size() > 1;
  for (const auto& [a, b] : pair_parts(names(golden), names(result), limits, comparison))
    compare_part(golden[static_cast<std::size_t>(a)], result[static_cast<std::size_t>(b)], a,
                 limits, options, queue, comparison);
  summarize(comparison);
  decide(comparison);
  return comparison;
}

}  // namespace cuimg

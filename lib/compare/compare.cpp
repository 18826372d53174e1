// SPDX-License-Identifier: Apache-2.0
#include "compare/compare.h"

#include "base/error.h"
#include "base/float_environment.h"
#include "compare/compared_content.h"
#include "compare/limit_options.h"
#include "compare/part_comparison.h"
#include "compare/verdict.h"
#include "image/require_memory.h"
#include "options/values.h"

namespace cuimg {
namespace {

struct Checked : Limits {
  float pixels_per_degree = MetricOptions{}.pixels_per_degree, range = MetricOptions{}.range;
  std::optional<Exposures> exposures = {};
  Color background = {};
  std::optional<double> flip_percent = {};
};

// Checks what the command line would refuse: with a limit that nothing can exceed, all pictures
// would be the same.
void check(const Limits& limits, const CompareOptions& options) {
  static const Description description = [] {
    auto to = describe<Checked>("compare", "");
    describe_limits(to);
    to.param("pixels-per-degree", &Checked::pixels_per_degree,
             MetricOptions::allowed_pixels_per_degree);
    to.param("range", &Checked::range, MetricOptions::allowed_range);
    to.param("exposures", &Checked::exposures, "");
    to.param("background", &Checked::background, "");
    to.param("flip-statistic", &Checked::flip_percent, range(0.0, 100.0));
    return Description(to);
  }();
  const MetricOptions& metric = options.metric;
  const auto [red, green, blue] = metric.background;
  const Checked values = {limits,           metric.pixels_per_degree, metric.range,
                          metric.exposures, {{red, green, blue, 1}},  metric.flip_percent};
  description.check_values(&values);
  check_limits(limits);
}

using Parts = std::vector<const Image*>;

PartList list_of(const Parts& parts) {
  PartList list;
  for (const Image* part : parts) list.names.push_back(part->spec().part_name);
  list.spec = [&parts](int part) { return parts[static_cast<std::size_t>(part)]->spec(); };
  return list;
}

Comparison compare_parts(const Parts& golden, const Parts& result, const Limits& limits,
                         const CompareOptions& options, const Queue& queue) {
  const FloatEnvironment environment;
  check(limits, options);
  if (!limits.mask.empty() && options.mask == nullptr)
    throw Error("compare", "Limits::mask names the file " + limits.mask + ", which is not read",
                "read it, and give CompareOptions::mask");
  for (const Parts* side : {&golden, &result})
    for (const Image* part : *side) require_memory(*part, "compare");
  Comparison comparison;
  comparison.content = content_of(limits);
  comparison.has_several_parts = golden.size() > 1 || result.size() > 1;
  const PartList goldens = list_of(golden), results = list_of(result);
  const PartPairs pairs = pair_parts(goldens, results, comparison.content);
  judge_lone_parts(pairs, goldens, results, limits, comparison);
  for (const auto& [i, j] : pairs.both) {
    const Image &a = *golden[static_cast<std::size_t>(i)],
                &b = *result[static_cast<std::size_t>(j)];
    const LayerChoice layers(comparison.content, &a.spec(), &b.spec());
    if (layers.are_all_of(a.spec()) && layers.are_all_of(b.spec()))
      compare_part({a, b, i}, limits, options, queue, comparison);
    else
      compare_part({layers.of(a), layers.of(b), i}, limits, options, queue, comparison);
  }
  summarize(comparison);
  decide(comparison);
  return comparison;
}

}  // namespace

Comparison compare(const Image& golden, const Image& result, const Limits& limits,
                   const CompareOptions& options, const Queue& queue) {
  return compare_parts({&golden}, {&result}, limits, options, queue);
}

Comparison compare(const std::vector<Image>& golden, const std::vector<Image>& result,
                   const Limits& limits, const CompareOptions& options, const Queue& queue) {
  if (golden.empty() && result.empty()) throw Error("compare", "there are no pictures");
  const auto pointers = [](const std::vector<Image>& parts) {
    std::vector<const Image*> all;
    for (const Image& part : parts) all.push_back(&part);
    return all;
  };
  return compare_parts(pointers(golden), pointers(result), limits, options, queue);
}

}  // namespace cuimg

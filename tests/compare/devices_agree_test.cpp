// SPDX-License-Identifier: Apache-2.0
// The check of --device both: a figure of any kind that differs in one bit is found and named.
#include "compare/devices_agree.h"

#include <cmath>
#include <functional>

#include "compare/metrics/metric.h"
#include "pictures.h"

namespace cuimg::test {
namespace {

struct Change {
  const char* name;
  std::function<void(Comparison&)> make;
};

Differences& differences(Comparison& c) { return c.layers.front().differences; }
double next_to(double value) { return std::nextafter(value, 1e300); }

const Change changes[] = {
    {"pixels", [](Comparison& c) { ++differences(c).pixels; }},
    {"values", [](Comparison& c) { ++differences(c).values; }},
    {"pixels that differ", [](Comparison& c) { ++differences(c).differing; }},
    {"pixels that fail", [](Comparison& c) { ++differences(c).failing; }},
    {"pixels that fail hard", [](Comparison& c) { ++differences(c).hard_failing; }},
    {"pixels that warn", [](Comparison& c) { ++differences(c).warning; }},
    {"pixels that warn hard", [](Comparison& c) { ++differences(c).hard_warning; }},
    {"mismatches", [](Comparison& c) { ++differences(c).mismatches; }},
    {"NaN in both", [](Comparison& c) { ++differences(c).nans; }},
    {"max_ulp", [](Comparison& c) { ++differences(c).max_ulp; }},
    {"max_absolute",
     [](Comparison& c) { differences(c).max_absolute = next_to(differences(c).max_absolute); }},
    {"max_relative",
     [](Comparison& c) { differences(c).max_relative = next_to(differences(c).max_relative); }},
    {"sum of squares",
     [](Comparison& c) { differences(c).sum_of_squares = next_to(differences(c).sum_of_squares); }},
    {"the first difference", [](Comparison& c) { ++differences(c).first->x; }},
    {"the worst value", [](Comparison& c) { ++differences(c).worst->y; }},
    {"the worst value",
     [](Comparison& c) {
       double& value = differences(c).worst->result_pixel.back();
       value = next_to(value);
     }},
    {"FLIP's map at pixel 7",
     [](Comparison& c) {
       float& error = c.layers.front().flip_map[7];
       error = std::nextafter(error, 2.0f);
     }},
    {"shifted pixels", [](Comparison& c) { ++c.forgiven.shifted; }},
    {"number of reasons",
     [](Comparison& c) {
       c.reasons.push_back({"code", "text"});
     }},
    {"number of layers", [](Comparison& c) { c.layers.pop_back(); }}};

TEST(DevicesAgree, FindsEachFigureThatDiffers) {
  CompareOptions options;
  for (const Metric* metric : metrics()) options.metrics.emplace_back(metric->name);
  options.keeps_flip_maps = true;
  const Comparison here = compare(pattern(40, 30, 0, false), pattern(40, 30, 0, true), {}, options);
  EXPECT_FALSE(figure_that_differs(here, here, "cpu", "cuda:0"));
  for (const Change& change : changes) {
    Comparison there = here;
    change.make(there);
    const auto found = figure_that_differs(here, there, "cpu", "cuda:0");
    ASSERT_TRUE(found) << change.name;
    EXPECT_NE(found->find(change.name), std::string::npos) << *found;
    EXPECT_NE(found->find(" on cpu and "), std::string::npos) << *found;
  }
  for (std::size_t i = 0; i < here.layers.front().metrics.size(); ++i) {
    Comparison there = here;
    MetricValue& metric = there.layers.front().metrics[i];
    if (!metric.value) continue;
    *metric.value = next_to(*metric.value);
    const auto found = figure_that_differs(here, there, "cpu", "cuda:0");
    ASSERT_TRUE(found) << metric.name;
    EXPECT_NE(found->find(metric.name), std::string::npos) << *found;
  }
}

}  // namespace
}  // namespace cuimg::test

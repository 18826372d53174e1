// SPDX-License-Identifier: Apache-2.0
#include "compare_idle.h"

#include <algorithm>

#include "base/error.h"

namespace cuimg {
namespace {

bool gives(const std::vector<CompareRule>& rules, const std::string& option) {
  return std::ranges::any_of(rules, [&](const CompareRule& rule) {
    return std::ranges::any_of(rule.options,
                               [&](const auto& given) { return given.first == option; });
  });
}

}  // namespace

void refuse_idle_limits(const Limits& limits, const std::vector<CompareRule>& rules) {
  const Limits none;
  if (limits.flip_statistic != none.flip_statistic && !limits.fail_flip &&
      !gives(rules, "fail-flip"))
    throw Error("compare", "--flip-statistic without --fail-flip does nothing");
  if (limits.density_window != none.density_window && !limits.fail_density &&
      !gives(rules, "fail-density"))
    throw Error("compare", "--density-window without --fail-density does nothing");
}

}  // namespace cuimg

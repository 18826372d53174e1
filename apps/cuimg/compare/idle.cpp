// SPDX-License-Identifier: Apache-2.0
#include "idle.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "compare/trees/rule_file.h"

namespace cuimg {
namespace {

bool gives(const std::vector<CompareRule>& rules, const std::string& option) {
  return std::ranges::any_of(rules, [&](const CompareRule& rule) {
    return std::ranges::any_of(rule.options,
                               [&](const auto& given) { return given.first == option; });
  });
}

}  // namespace

void refuse_idle_limits(const Limits& limits, std::span<const std::string> folders) {
  const Limits none;
  const bool of_flip = limits.flip_statistic != none.flip_statistic && !limits.fail_flip;
  const bool of_density = limits.density_window != none.density_window && !limits.fail_density;
  if (!of_flip && !of_density) return;  // avoids a useless search for rules in a large tree
  const std::vector<CompareRule> rules =
      folders.empty() ? std::vector<CompareRule>() : read_rules(folders[0], folders[1]);
  if (of_flip && !gives(rules, "fail-flip"))
    throw Error("compare", "--flip-statistic without --fail-flip does nothing");
  if (of_density && !gives(rules, "fail-density"))
    throw Error("compare", "--density-window without --fail-density does nothing");
}

void refuse_idle_matching(const PathFilter& files, MatchBy by) {
  if (!files.is_empty())
    throw Error("compare", "--include and --exclude choose among the pictures of two folders",
                "give two folders");
  if (by != MatchBy::path)
    throw Error("compare", "--match pairs the pictures of two folders", "give two folders");
}

}  // namespace cuimg

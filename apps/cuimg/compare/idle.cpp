// SPDX-License-Identifier: Apache-2.0
#include "idle.h"
#include "base/contains.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "apps/cuimg/commands.h"
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

void refuse_others(const Description& options, const void* values,
                   std::span<const std::string_view> used, const std::string& mode) {
  for (const Parameter& option : options.parameters)
    if (!option.is_default(values) && !contains(used, option.name))
      throw Error("compare", "--" + option.name + " has no effect with " + mode,
                  "give it when you compare");
}

}  // namespace

void refuse_options_of_comparing(const Compare& given, const CommonOptions& common) {
  // Those of reading pictures, and of what the report computes again.
  static constexpr std::string_view of_from[] = {
      "from",         "html",    "label",      "background",      "pixels-per-degree", "exposures",
      "raw",          "icc",     "icc-intent", "icc-black-point", "mip-level",         "output",
      "limit-pixels", "threads", "quiet",      "verbose"};
  static constexpr std::string_view of_history[] = {"history", "output", "threads", "quiet",
                                                    "verbose"};
  const std::span<const std::string_view> used =
      given.history ? std::span<const std::string_view>(of_history) : of_from;
  const std::string mode = given.history ? "--history" : "--from";
  const auto& commands = program().commands;
  const auto command =
      std::ranges::find(commands, "compare", [](const Command& c) { return c.description.name; });
  refuse_others(command->description, &given, used, mode);
  refuse_others(common_options(), &common, used, mode);
}

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

// SPDX-License-Identifier: Apache-2.0
#include "compare/comparison.h"

namespace cuimg {

std::string_view name_of(Verdict verdict) {
  constexpr std::string_view names[] = {"same", "differs", "error"};
  return names[static_cast<std::size_t>(verdict)];
}

std::optional<double> value_named(const std::vector<MetricValue>& metrics, std::string_view name) {
  for (const MetricValue& metric : metrics)
    if (metric.name == name) return metric.value;
  return std::nullopt;
}

std::string part_prefix(int part, const std::string& name) {
  return "part " + (name.empty() ? std::to_string(part) : name) + ": ";
}

}  // namespace cuimg

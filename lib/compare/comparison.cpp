// SPDX-License-Identifier: Apache-2.0
#include "compare/comparison.h"

namespace cuimg {

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::same:
      return "same";
    case Verdict::differs:
      return "differs";
    case Verdict::error:
      return "error";
  }
  return "?";
}

std::optional<double> Comparison::metric(std::string_view name) const {
  for (const MetricValue& metric : metrics)
    if (metric.name == name) return metric.value;
  return std::nullopt;
}

}  // namespace cuimg

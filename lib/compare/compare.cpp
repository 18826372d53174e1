// SPDX-License-Identifier: Apache-2.0
#include "compare/compare.h"

#include "compare/part_comparison.h"
#include "compare/verdict.h"

namespace cuimg {

Comparison compare(const Image& golden, const Image& result, const Limits& limits,
                   const CompareOptions& options, const Queue& queue) {
  Comparison comparison;
  compare_part(golden, result, 0, limits, options, queue, comparison);
  summarize(comparison);
  decide(comparison);
  return comparison;
}

Comparison compare(const std::vector<Image>& golden, const std::vector<Image>& result,
                   const Limits& limits, const CompareOptions& options, const Queue& queue) {
  const auto names = [](const std::vector<Image>& parts) {
    std::vector<std::string> all;
    for (const Image& part : parts) all.push_back(part.spec().part_name);
    return all;
  };
  Comparison comparison;
  for (const auto& [a, b] : pair_parts(names(golden), names(result), limits, comparison))
    compare_part(golden[static_cast<std::size_t>(a)], result[static_cast<std::size_t>(b)], a,
                 limits, options, queue, comparison);
  summarize(comparison);
  decide(comparison);
  return comparison;
}

}  // namespace cuimg

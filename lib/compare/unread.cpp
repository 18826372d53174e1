// SPDX-License-Identifier: Apache-2.0
#include "compare/unread.h"

#include "base/contains.h"

namespace cuimg {

void compare_left_out(const OpenedPart& part, const DecodeOptions& decode, bool may_differ,
                      bool equal_bytes, Comparison& comparison) {
  const std::string of_golden = part.golden.left_out(), of_result = part.result.left_out();
  const auto warns = [&](const std::string& file, const char* which, const std::string& what) {
    if (what.empty()) return;
    const Reason warning = {"left-out", std::string(which) + what};
    if (contains(comparison.warnings, warning)) return;
    comparison.warnings.push_back(warning);
    if (const Notify& line = decode.warn ? decode.warn : decode.notify) line(file + ": " + what);
  };
  warns(comparison.golden, "golden: ", of_golden);
  warns(comparison.result, "result: ", of_result);
  const auto text = [](const std::string& what) { return what.empty() ? "nothing" : what; };
  if (of_golden != of_result)
    comparison.add("parts",
                   part.prefix + "what is left out is " + text(of_result) +
                       "; of the golden it is " + text(of_golden),
                   may_differ);
  else if (!of_golden.empty() && !equal_bytes)
    comparison.add("parts", part.prefix + "what is left out of both files is not compared",
                   may_differ);
}

void compare_stored(const OpenedPart& part, const Limits& limits, Comparison& comparison) {
  const std::optional<StoredSamples> a = part.golden.stored_samples();
  const std::optional<StoredSamples> b = part.result.stored_samples();
  if (!a || !b || a->kind != b->kind || a->sum == b->sum) return;
  const std::string text = part.prefix + "stored samples differ, but give the same pixels (" +
                           a->kind.substr(0, a->kind.find(',')) + ")";
  if (limits.wants_equal_pixels())
    comparison.add("stored", text, limits.allow_parts);
  else
    comparison.warnings.push_back({"stored", text});
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "compare/report/junit_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "text/web_text.h"

namespace cuimg {
namespace {

// XML cannot represent control characters, so they are escaped as in errors.
std::string escaped(const std::string& text) { return xml_text(printable(text)); }

// The name is the same in every run, whichever of several goldens matches best: it does not contain
// "@@dark".
std::string test_name(const Comparison& c) {
  std::string name = c.golden.empty() ? c.result : c.golden;
  const std::string mark = "@@" + c.variant;
  const std::size_t at = name.rfind(mark + ".");
  if (!c.variant.empty() && at != std::string::npos) name.erase(at, mark.size());
  return name;
}

std::string all_texts(const std::vector<Reason>& reasons) {
  std::string text;
  for (const Reason& reason : reasons) text += escaped(reason.text) + "\n";
  return text;
}

}  // namespace

std::string junit_text(const std::vector<Comparison>& comparisons) {
  const auto count = [&](Verdict verdict) {
    return std::ranges::count_if(comparisons,
                                 [=](const Comparison& c) { return c.verdict == verdict; });
  };
  const auto skipped =
      std::ranges::count_if(comparisons, [](const Comparison& c) { return !c.skipped.empty(); });
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"cuimg compare\" tests=\"{}\" failures=\"{}\" errors=\"{}\"{}>\n",
      comparisons.size(), count(Verdict::differs), count(Verdict::error),
      skipped > 0 ? fmt::format(" skipped=\"{}\"", skipped) : "");
  for (const Comparison& c : comparisons) {
    text +=
        fmt::format("  <testcase classname=\"cuimg.compare\" name=\"{}\"", escaped(test_name(c)));
    if (!c.skipped.empty()) {
      text += fmt::format(">\n    <skipped message=\"{}\"/>\n  </testcase>\n", escaped(c.skipped));
      continue;
    }
    if (c.verdict == Verdict::same && c.warnings.empty()) {
      text += "/>\n";
      continue;
    }
    text += ">\n";
    if (c.verdict != Verdict::same) {
      const char* kind = c.verdict == Verdict::error ? "error" : "failure";
      const std::string message =
          c.reasons.empty() ? std::string() : escaped(c.reasons.front().text);
      text += fmt::format("    <{} message=\"{}\">{}</{}>\n", kind, message, all_texts(c.reasons),
                          kind);
    }
    if (!c.warnings.empty())
      text += fmt::format("    <system-out>{}</system-out>\n", all_texts(c.warnings));
    text += "  </testcase>\n";
  }
  return text + "</testsuite>\n";
}

}  // namespace cuimg

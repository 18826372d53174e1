// SPDX-License-Identifier: Apache-2.0
#include "reports.h"

#include <utility>

#include "apps/cuimg/commands.h"
#include "compare/report/add_to_report.h"
#include "compare/report/comparison_report.h"
#include "compare/report/junit_report.h"
#include "io/output_file.h"

namespace cuimg {

HtmlReportOptions html_options(const Compare& given) {
  HtmlReportOptions options;
  options.folder = given.html;
  if (!given.label.empty()) options.title += ": " + given.label;
  return options;
}

void write_junit_of_error(const std::string& file, const std::vector<std::string>& operands,
                          const std::exception& error) {
  Comparison comparison;
  comparison.golden = operands[0];
  comparison.result = comparison.name = operands[1];
  comparison.verdict = Verdict::error;
  comparison.reasons = {{"unreadable", error.what()}};
  write_text_file(file, junit_text({comparison}));
}

CompareReports::CompareReports(const Compare& given, const CommonOptions& common,
                               const std::string& golden, const std::string& result,
                               ComparedKind kind)
    : given_(given),
      common_(common),
      are_many_(kind != ComparedKind::files),
      updates_(kind == ComparedKind::folders ? golden : "",
               kind == ComparedKind::folders ? result : "") {
  if (given.show) drawing_.emplace(given.protocol, common.threads);
  if (given.html.empty()) return;
  HtmlReportOptions options = html_options(given);
  if (kind == ComparedKind::folders) options.golden = golden;
  html_ = std::make_unique<HtmlReport>(std::move(options));
}

void CompareReports::show(int number, const Comparison& comparison, DecodedPair decoded,
                          const CompareOptions& options, const DecodeOptions& decode,
                          const Queue& queue) {
  if (drawing_ && comparison.verdict == Verdict::differs) {
    // A file without a counterpart was not decoded.
    if (decoded.parts.empty())
      decoded = decode_pair(comparison.golden, comparison.result, decode, comparison.content);
    std::string text = drawing_->text_of(comparison, decoded);
    const std::lock_guard lock(mutex_);
    drawn_[comparison.name] = std::move(text);
  }
  if (!html_) return;
  const bool passed = comparison.verdict == Verdict::same && comparison.warnings.empty();
  add_to_report(*html_,
                {number, comparison.name, comparison.golden, comparison.result, !passed,
                 json_of(comparison).text(), comparison.content},
                std::move(decoded), options.metric, decode, queue);
}

void CompareReports::add(const Comparison& comparison) {
  if (comparison.verdict == Verdict::error)
    for (const Reason& reason : comparison.reasons) say(reason.text);
  if (common_.json) {
    print(json_of(comparison).line());
  } else if (!common_.quiet && comparison.verdict != Verdict::error) {
    // With many pairs, only those that need attention are printed, unless an option asks for more.
    const bool calm = comparison.verdict == Verdict::same && comparison.warnings.empty();
    const bool is_wanted = !are_many_ || !calm || common_.verbose || common_.explain;
    if (is_wanted && !becomes_golden(comparison))
      print(comparison_text(comparison, !are_many_ || common_.verbose));
  }
  print_drawing(comparison.name);
  if (!given_.junit.empty()) all_.push_back(comparison);
  if (given_.update) updates_.add(comparison);
}

int CompareReports::finish(int code) {
  if (html_) html_->finish();
  if (given_.update) {
    updates_.finish(given_.yes, verbose_decode_options(common_));
    code = updates_.exit_code(code);
  }
  if (!given_.junit.empty()) {
    for (Comparison& comparison : all_) updates_.pass_copied(comparison);
    write_text_file(given_.junit, junit_text(all_));
  }
  return code;
}

// For a new golden finish() prints that it was added, which "there is no golden" would contradict.
bool CompareReports::becomes_golden(const Comparison& comparison) const {
  return given_.yes && comparison.verdict == Verdict::differs && comparison.lone == "extra";
}

void CompareReports::print_drawing(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto drawn = drawn_.find(name);
  if (drawn == drawn_.end()) return;
  print(drawn->second);
  drawn_.erase(drawn);
}

Json CompareReports::json_of(const Comparison& comparison) const {
  Json object = comparison_json(comparison);
  if (!given_.label.empty()) object.set("label", given_.label);
  return object;
}

}  // namespace cuimg

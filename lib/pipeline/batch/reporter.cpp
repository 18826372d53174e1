// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/reporter.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "base/error.h"
#include "base/json.h"

namespace cuimg {
namespace {

std::string joined_inputs(const Job& job) {
  std::string names;
  for (const std::string& input : job.inputs) names += (names.empty() ? "" : " ") + input;
  return names;
}

// How a report in text and one in JSON name the clock that took a time.
struct ClockWords {
  const char *text, *json;
};

ClockWords words_for(StepClock clock) {
  switch (clock) {
    case StepClock::processor:
      return {"of processor time", "processor"};
    case StepClock::card:
      return {"on the card", "card"};
    case StepClock::wall:
      break;
  }
  return {"after the start", "wall"};
}

std::string json_report(const Job& job, const RunReport& report) {
  Json timing = Json::list();
  for (const StepTime& time : report.times)
    timing.push(Json::object({{"step", time.step},
                              {"milliseconds", time.milliseconds},
                              {"clock", words_for(time.clock).json}}));
  Json object = Json::object({{"input", joined_inputs(job)},
                              {"output", job.output},
                              {"explanation", report.explanation},
                              {"timing", timing}});
  if (report.difference) object.set("difference", *report.difference);
  return object.line();
}

}  // namespace

void OrderedOutput::add(std::size_t job, std::string text) {
  const std::lock_guard lock(mutex_);
  waiting_[job] = std::move(text);
  for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_; ++next_) {
    std::fputs(first->second.c_str(), stdout);
    first = waiting_.erase(first);
  }
}

Reporter::Reporter(const CommonOptions& common, std::size_t jobs)
    : common_(common), jobs_(jobs), rewrites_(isatty(STDERR_FILENO) == 1) {
  shows_progress_ =
      !common.quiet && (common.progress == Progress::always ||
                        (common.progress == Progress::automatic && rewrites_ && jobs > 1));
}

void Reporter::error(const std::string& what) {
  const std::lock_guard lock(mutex_);
  print("cuimg: " + what);
  ++failures_;
}

void Reporter::done(const Job& job, const RunReport& report) {
  const std::lock_guard lock(mutex_);
  print_report(job, report);
  if (common_.verbose) print_notes(job, report);
  if (report.difference) ++differences_;
}

void Reporter::print_report(const Job& job, const RunReport& report) {
  if (common_.json) {
    // --dry-run prints an object of its own.
    if (!common_.dry_run && (common_.explain || common_.timing || report.difference))
      write(json_report(job, report));
    return;
  }
  const std::string name = printable(job.name());
  const std::string prefix = jobs_ > 1 ? name + ": " : "";
  if (common_.explain)
    for (const std::string& line : report.explanation) print(prefix + printable(line));
  if (common_.timing)
    for (const StepTime& time : report.times)
      print(fmt::format("{}{:<16} {:10.1f} ms {}", prefix, time.step, time.milliseconds,
                        words_for(time.clock).text));
  if (report.difference) print("cuimg: " + name + ": " + printable(*report.difference));
}

void Reporter::print_notes(const Job& job, const RunReport& report) {
  const std::string name = printable(job.name());
  for (const std::string& note : report.notes) print("cuimg: " + name + ": " + printable(note));
  if (!report.fallback.empty() && printed_fallbacks_.insert(report.fallback).second)
    print("cuimg: " + printable(report.fallback) + "; the CPU does it instead");
  if (!job.output.empty() && !common_.dry_run)
    print("cuimg: " + name + " -> " + printable(job.output));
}

void Reporter::skipped(const Job& job) {
  const std::lock_guard lock(mutex_);
  if (common_.verbose) print("cuimg: " + printable(job.output) + " exists, skipped");
}

void Reporter::progress(const Job& job) {
  const std::lock_guard lock(mutex_);
  ++finished_;
  if (!shows_progress_) return;
  const std::string line = fmt::format("[{}/{}] {}", finished_, jobs_, printable(job.name()));
  if (!rewrites_) return print(line);
  std::fputs(("\r\x1b[K" + line).c_str(), stderr);
  line_open_ = true;
}

int Reporter::finish() {
  const std::lock_guard lock(mutex_);
  if (failures_ > 0 && jobs_ > 1)
    print(fmt::format("cuimg: {} of {} images failed", failures_, jobs_));
  if (line_open_) std::fputs("\n", stderr);
  return failures_ > 0 ? 2 : differences_ > 0 ? 1 : 0;
}

void Reporter::print(const std::string& line) { write(line + "\n"); }

void Reporter::write(const std::string& lines) {
  // Not fmt::print, which throws when standard error is closed.
  std::fputs(((line_open_ ? "\r\x1b[K" : "") + lines).c_str(), stderr);
  line_open_ = false;
}

std::string dry_run_line(const Invocation& invocation, const Job& job, const RunReport& report,
                         bool skipped) {
  const CommonOptions& common = invocation.common;
  const std::string chain = chain_words(invocation.stages, common.explain);
  if (common.json) {
    Json object =
        Json::object({{"input", joined_inputs(job)}, {"output", job.output}, {"chain", chain}});
    if (common.explain) object.set("explanation", report.explanation);
    if (skipped) object.set("skipped", true);
    return object.line();
  }
  std::string line;
  if (!job.inputs.empty()) line += printable(joined_inputs(job));
  if (!job.output.empty()) line += (line.empty() ? "-> " : " -> ") + printable(job.output);
  return line + ": " + printable(chain) + (skipped ? " (exists, skipped)" : "") + "\n";
}

}  // namespace cuimg

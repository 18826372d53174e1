// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/reporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/json.h"
#include "base/message_text.h"
#include "base/standard_output.h"
#include "base/threads.h"
#include "pipeline/batch/progress_line.h"

namespace cuimg {
namespace {

std::string joined_inputs(const Job& job) {
  std::string names;
  for (const std::string& input : job.inputs) add_item(names, input, " ");
  return names;
}

// "input" joins several names with blanks; a list keeps them separate.
void add_inputs(const Job& job, Json& object) {
  if (job.inputs.size() > 1) object.set("inputs", job.inputs);
}

void add_tees(const Job& job, Json& object) {
  if (job.tees.empty()) return;
  Json tees = Json::list();
  for (const Job& tee : job.tees) tees.push(tee.output);
  object.set("tees", tees);
}

Json json_times(const std::vector<StepTime>& times) {
  Json list = Json::list();
  for (const StepTime& time : times) {
    Json object = Json::object(
        {{"step", time.step}, {"milliseconds", time.milliseconds}, {"clock", name_of(time.clock)}});
    if (!time.of.empty()) object.set("of", time.of);
    list.push(std::move(object));
  }
  return list;
}

// The size of the files that were written; nothing if one went into a pipe, whose bytes are not
// counted.
std::optional<std::uint64_t> bytes_of(const std::vector<const Job*>& outputs) {
  std::uint64_t bytes = 0;
  for (const Job* const made : outputs) {
    std::error_code unknown;
    const std::uintmax_t of_file = std::filesystem::file_size(made->output, unknown);
    if (made->output == "-" || unknown) return std::nullopt;
    bytes += of_file;
  }
  return bytes;
}

// Whether an image goes to standard output.
bool is_pipe(const Job& job) {
  const std::vector<const Job*> outputs = outputs_of(job);
  return std::ranges::any_of(outputs, [](const Job* made) {
    const std::string& name = made->output;
    return name == "-" || name == "/dev/stdout" || name == "/dev/fd/1" || name == "/proc/self/fd/1";
  });
}

}  // namespace

void JobReport::failed(const std::string& what) {
  add_line("cuimg: " + what);
  failed_ = true;
  if (!common_.json) return;
  if (makes_image() || common_.dry_run)
    add_json({}, "failed", what);
  else
    out_ += Json::object({{"file", joined_inputs(job_)}, {"error", what}}).line();
}

// The output of --dry-run for an image that can be made is a separate object, and so is a sink's.
void JobReport::add_json(const RunReport& report, const char* status, const std::string& error) {
  if (common_.dry_run && error.empty()) return;
  Json object =
      Json::object({{"input", joined_inputs(job_)}, {"output", job_.output}, {"status", status}});
  add_inputs(job_, object);
  add_tees(job_, object);
  if (!error.empty()) object.set("error", error);
  if (error.empty() && makes_image()) {
    object.set("pixels", report.pixels);
    if (const auto bytes = bytes_of(outputs_of(job_))) object.set("bytes", *bytes);
    object.set("milliseconds", report.milliseconds);
  }
  if (!report.warnings.empty()) object.set("warnings", report.warnings);
  if (common_.explain) object.set("explanation", report.explanation);
  if (common_.timing) object.set("timing", json_times(report.times));
  if (report.difference) object.set("difference", *report.difference);
  const bool is_aside = !makes_image() || is_pipe(job_);
  (is_aside && !common_.dry_run ? err_ : out_) += object.line();
}

void JobReport::done(const RunReport& report) {
  add_report(report);
  if (!common_.quiet)
    for (const std::string& warning : report.warnings)
      add_line("cuimg: " + printable(job_.name()) + ": " + printable(warning));
  if (common_.verbose) add_notes(report);
  fallback_ = report.fallback;
  pixels_ = report.pixels;
  times_ = report.times;
  differs_ = report.difference.has_value();
}

void JobReport::add_report(const RunReport& report) {
  if (common_.json) {
    if (makes_image() || common_.explain || common_.timing || report.difference)
      add_json(report, "done", "");
    return;
  }
  const std::string name = printable(job_.name());
  const std::string prefix = alone_ ? "" : name + ": ";
  if (common_.explain)
    for (const std::string& line : report.explanation) add_line(prefix + printable(line));
  if (report.difference) add_line("cuimg: " + name + ": " + printable(*report.difference));
}

void JobReport::add_notes(const RunReport& report) {
  const std::string name = printable(job_.name());
  for (const std::string& note : report.notes) add_line("cuimg: " + name + ": " + printable(note));
  if (common_.dry_run) return;
  for (const Job* const made : outputs_of(job_))
    add_line("cuimg: " + name + " -> " + printable(made->output));
}

void JobReport::skipped() {
  skipped_ = true;
  if (common_.json) add_json({}, "skipped", "");
  if (common_.verbose) add_line("cuimg: " + printable(job_.output) + " is up to date, skipped");
}

void JobReport::made_anew(const std::string& output, Existing existing) {
  if (common_.quiet) return;
  const char* const why =
      existing == Existing::other     ? "was made by another command or from other files"
      : existing == Existing::changed ? "was changed after it was made"
                                      : "its file system cannot store how it was made";
  made_anew_.push_back("cuimg: " + printable(output) + " exists, but " + why +
                       (common_.no_clobber ? "\n" : "; it is made anew\n"));
}

Reporter::Reporter(const CommonOptions& common, std::size_t jobs, std::span<const Job> all)
    : common_(common),
      jobs_(jobs),
      prints_json_(
          common.json &&
          std::ranges::any_of(all, [](const Job& job) { return !outputs_of(job).empty(); })),
      json_is_aside_(std::ranges::any_of(all, is_pipe)),
      rewrites_(can_rewrite_lines()) {
  shows_progress_ =
      !common.quiet && (common.progress == Progress::always ||
                        (common.progress == Progress::automatic && rewrites_ && jobs > 1));
}

void Reporter::add(std::size_t index, JobReport report) {
  const std::lock_guard lock(mutex_);
  waiting_.emplace(index, std::move(report));
  for (auto first = waiting_.begin(); first != waiting_.end() && first->first == ended_;) {
    print_job(first->second);
    first = waiting_.erase(first);
  }
}

void Reporter::print_job(const JobReport& report) {
  ++ended_;
  failures_ += report.failed_ ? 1 : 0;
  skipped_ += report.skipped_ ? 1 : 0;
  differences_ += report.differs_ ? 1 : 0;
  pixels_ += report.pixels_;
  times_.add(report.times_);
  std::string lines;
  for (const std::string& line : report.made_anew_)
    if (common_.verbose || made_anew_++ == 0) lines += line;
  lines += report.err_;
  if (says(report.fallback_) && printed_fallbacks_.insert(report.fallback_.reason).second)
    lines += "cuimg: " + printable(report.fallback_.reason) + "; the CPU does it instead\n";
  if (!lines.empty()) write(lines);
  print(report.out_);
  // Programs read it image by image, also if the run is killed.
  if (prints_json_) flush_prints();
  if (shows_progress_) print_progress(report);
}

// A card that exists but cannot be used is reported once, whatever happens to later images.
bool Reporter::says(const Fallback& fallback) const {
  if (fallback.reason.empty()) return false;
  return common_.verbose || (fallback.is_of_a_card && !common_.quiet && printed_fallbacks_.empty());
}

double Reporter::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

// "[12/300] 85 MP/s, 1:23 left, 2 failed: shot/in.exr".
void Reporter::print_progress(const JobReport& report) {
  const double elapsed = seconds();
  // Updating more often than people can read would only keep the terminal busy.
  constexpr double seconds_a_line = 0.05;
  if (rewrites_ && ended_ < jobs_ && elapsed < next_progress_) return;
  next_progress_ = elapsed + seconds_a_line;
  std::string line = fmt::format("[{}/{}]", ended_, jobs_);
  // Before that, estimates vary too much.
  constexpr double seconds_to_a_guess = 1;
  if (elapsed > seconds_to_a_guess && ended_ < jobs_) {
    const auto left = static_cast<std::int64_t>(
        elapsed / static_cast<double>(ended_) * static_cast<double>(jobs_ - ended_) + 0.5);
    line += fmt::format(" {:.0f} MP/s, {}:{:02} left", static_cast<double>(pixels_) / 1e6 / elapsed,
                        left / 60, left % 60);
    if (failures_ > 0) line += fmt::format(", {} failed", failures_);
    line += ":";
  }
  line += " ";
  const std::string name = printable(report.job_.name());
  if (!rewrites_) return write(line + name + "\n");
  std::fputs(("\r\x1b[K" + fitted_line(line, name, terminal_columns())).c_str(), stderr);
  line_open_ = true;
}

// Failures are always counted; the number of images, their time and rate are printed with
// --verbose, and if progress was shown.
void Reporter::print_summary(bool interrupted) {
  if (failures_ > 0) {
    const std::string rest =
        not_begun() > 0 && !interrupted ? fmt::format(", {} not begun", not_begun()) : "";
    write(fmt::format("cuimg: {} of {} images failed{}\n", failures_, jobs_, rest));
  }
  if (interrupted)
    write(fmt::format("cuimg: interrupted: {} of {} images are done\n", ended_ - failures_, jobs_));
  const bool is_watched = shows_progress_ && rewrites_;
  if ((!common_.verbose && !is_watched) || common_.dry_run) return;
  const double elapsed = seconds();
  const std::size_t done = ended_ - failures_ - skipped_;
  const std::string skipped =
      skipped_ > 0 ? fmt::format("; {} {} made already", skipped_, skipped_ == 1 ? "was" : "were")
                   : "";
  write(fmt::format("cuimg: {} in {:.2f} s, {:.0f} MP/s{}\n", counted(done, "image"), elapsed,
                    static_cast<double>(pixels_) / 1e6 / elapsed, skipped));
}

void Reporter::print_json_summary(bool interrupted) {
  // --dry-run counts images as good if it finds nothing wrong.
  const std::size_t good = ended_ - failures_ - skipped_;
  const std::size_t done = common_.dry_run ? 0 : good;
  Json summary = Json::object({{"images", jobs_},
                               {"done", done},
                               {"failed", failures_},
                               {"skipped", skipped_},
                               {"not_begun", not_begun() + good - done},
                               {"pixels", pixels_},
                               {"seconds", seconds()}});
  if (common_.dry_run) summary.set("dry_run", true);
  if (differences_ > 0) summary.set("different", differences_);
  if (interrupted) summary.set("interrupted", true);
  const std::string line = Json::object({{"summary", summary}}).line();
  if (json_is_aside_ && !common_.dry_run)
    write(line);
  else
    print(line);
}

int Reporter::finish(bool interrupted) {
  const std::lock_guard lock(mutex_);
  // Jobs that were left out after an error must not hold back the reports of jobs that ended.
  for (const auto& [index, report] : waiting_) print_job(report);
  waiting_.clear();
  if (made_anew_ > 1 && !common_.verbose && !common_.no_clobber)
    write(
        fmt::format("cuimg: {} made anew; -v names all\n", counted(made_anew_ - 1, "more output")));
  if (jobs_ > 1) print_summary(interrupted);
  if (prints_json_) print_json_summary(interrupted);
  if (common_.timing && !common_.json && !common_.dry_run) {
    const int threads = common_.threads > 0 ? common_.threads : hardware_threads();
    write(times_.text(seconds(), threads));
  }
  if (line_open_) std::fputs("\n", stderr);
  return failures_ > 0 ? 2 : differences_ > 0 ? 1 : 0;
}

void Reporter::write(const std::string& lines) {
  // Not fmt::print, which throws if standard error is closed.
  std::fputs(((line_open_ ? "\r\x1b[K" : "") + lines).c_str(), stderr);
  line_open_ = false;
}

std::string dry_run_line(const Invocation& invocation, const Job& job, const RunReport& report,
                         bool skipped) {
  const CommonOptions& common = invocation.common;
  const std::string chain = chain_words(invocation, common.explain);
  if (common.json) {
    Json object =
        Json::object({{"input", joined_inputs(job)}, {"output", job.output}, {"chain", chain}});
    add_inputs(job, object);
    add_tees(job, object);
    if (report.parts > 1) object.set("parts", report.parts);
    if (common.explain) object.set("explanation", report.explanation);
    if (skipped) object.set("skipped", true);
    if (!report.unmeasured.empty()) object.set("measures_first", report.unmeasured);
    if (!report.scratch.empty()) object.set("scratch", report.scratch);
    return object.line();
  }
  std::string line;
  if (!job.inputs.empty()) line += printable(joined_inputs(job));
  for (const Job* const made : outputs_of(job)) add_item(line, printable(made->output), " -> ");
  if (report.parts > 1) line += fmt::format(", {} parts", report.parts);
  line += ": " + printable(chain) + (skipped ? " (up to date, skipped)" : "");
  for (const std::string& stage : report.unmeasured)
    line += fmt::format(" ({} measures the picture first; only then are its result and size known)",
                        stage);
  if (!report.scratch.empty())
    line += " (in tiles: the pixels do not fit into memory; the rest lies in " +
            printable(report.scratch) + ")";
  return line + "\n";
}

}  // namespace cuimg

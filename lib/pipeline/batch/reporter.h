// SPDX-License-Identifier: Apache-2.0
// The output of a command on many images: results on standard output, everything else on standard
// error, both in the order of the jobs, whichever ends first.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>

#include "pipeline/batch/resume.h"
#include "pipeline/batch/time_sheet.h"
#include "pipeline/grammar.h"
#include "pipeline/run/run.h"

namespace cuimg {

/// The lines about one job, and its result. Used by the thread that runs the job.
class JobReport {
 public:
  JobReport(const CommonOptions& common, const Job& job, bool alone)
      : common_(common), job_(job), alone_(alone) {}

  void failed(const std::string& what);
  /// Adds the details of a finished job that options request.
  void done(const RunReport& report);
  /// Called if --skip-existing skips it.
  void skipped();
  /// Called if --skip-existing does not skip it although its output exists.
  void made_anew(const std::string& output, Existing existing);
  /// For standard output: a sink's text, or --dry-run's line.
  void print(const std::string& text) { out_ += text; }

 private:
  friend class Reporter;
  bool makes_image() const { return !outputs_of(job_).empty(); }
  void add_line(const std::string& line) { err_ += line + "\n"; }
  void add_report(const RunReport& report);
  void add_notes(const RunReport& report);
  void add_json(const RunReport& report, const char* status, const std::string& error);

  const CommonOptions& common_;
  const Job& job_;
  const bool alone_;
  std::string out_, err_;
  std::vector<std::string> made_anew_;
  Fallback fallback_ = {};
  std::uint64_t pixels_ = 0;
  std::vector<StepTime> times_;
  bool failed_ = false, skipped_ = false, differs_ = false;
};

class Reporter {
 public:
  /// @param jobs that this process runs, some of `all`.
  Reporter(const CommonOptions& common, std::size_t jobs, std::span<const Job> all);

  /// Called once for each job that was begun, with its index, from any thread.
  void add(std::size_t index, JobReport report);
  /// Prints the summary of the run. @param interrupted whether a signal caused jobs to be left out.
  /// @returns the exit code.
  int finish(bool interrupted);

 private:
  void print_job(const JobReport& report);
  void print_progress(const JobReport& report);
  void print_summary(bool interrupted);
  void print_json_summary(bool interrupted);
  bool says(const Fallback& fallback) const;
  std::size_t not_begun() const { return jobs_ - ended_; }
  double seconds() const;
  void write(const std::string& lines);

  const CommonOptions& common_;
  const std::size_t jobs_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  TimeSheet times_;
  bool prints_json_ = false;  ///< Whether to print an object for each image, and a summary.
  /// Whether they go to standard error, because standard output is an image.
  bool json_is_aside_ = false;
  bool shows_progress_ = false, rewrites_ = false, line_open_ = false;
  double next_progress_ = 0;  ///< In seconds(): when the progress line may next change.
  std::set<std::string> printed_fallbacks_;  ///< Each is printed once per command.
  std::size_t ended_ = 0, failures_ = 0, skipped_ = 0, differences_ = 0;
  std::uint64_t pixels_ = 0;
  /// The number of outputs that --skip-existing makes again; without -v only the first is named.
  std::size_t made_anew_ = 0;
  std::mutex mutex_;
  std::map<std::size_t, JobReport> waiting_;  ///< Reports that wait for earlier jobs.
};

/// The line of --dry-run for a job. @param report of the checks; @param skipped whether the output
/// already exists and --skip-existing is given.
std::string dry_run_line(const Invocation& invocation, const Job& job, const RunReport& report,
                         bool skipped);

}  // namespace cuimg

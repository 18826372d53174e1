// SPDX-License-Identifier: Apache-2.0
// What a command over many images prints: results on standard output, everything else on standard
// error.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "pipeline/grammar.h"
#include "pipeline/run.h"

namespace cuimg {

/// Prints to standard output in the order of the jobs, whichever ends first.
class OrderedOutput {
 public:
  /// Once for each job, by its index; a job that fails prints an empty text.
  void add(std::size_t job, std::string text);

 private:
  std::mutex mutex_;
  std::size_t next_ = 0;
  std::map<std::size_t, std::string> waiting_;
};

/// Prints to standard error, whole lines from any thread, and counts what went wrong.
class Reporter {
 public:
  Reporter(const CommonOptions& common, std::size_t jobs);

  void error(const std::string& what);
  /// What the options ask to know of a job that is done.
  void done(const Job& job, const RunReport& report);
  /// A job that --skip-existing left out.
  void skipped(const Job& job);
  /// Counts a job, with or without an error, as finished.
  void progress(const Job& job);
  /// @returns the exit code.
  int finish();

 private:
  void print_report(const Job& job, const RunReport& report);
  void print_notes(const Job& job, const RunReport& report);
  void print(const std::string& line);
  void write(const std::string& lines);

  const CommonOptions& common_;
  const std::size_t jobs_;
  bool shows_progress_ = false, rewrites_ = false, line_open_ = false;
  std::set<std::string> printed_fallbacks_;  ///< Each is printed once a command.
  std::size_t finished_ = 0, failures_ = 0, differences_ = 0;
  std::mutex mutex_;
};

/// The line of --dry-run for a job. @param report of the checks; @param skipped the output exists
/// and --skip-existing is given.
std::string dry_run_line(const Invocation& invocation, const Job& job, const RunReport& report,
                         bool skipped);

}  // namespace cuimg

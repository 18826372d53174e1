// SPDX-License-Identifier: Apache-2.0
// Doing the jobs: several at a time, errors gathered, reports on standard error.
#include "pipeline/batch/jobs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <map>
#include <mutex>
#include <new>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "base/error.h"
#include "pipeline/worth_a_card.h"

namespace cuimg {
namespace {

std::string joined(const Job& job) {
  std::string names;
  for (const std::string& input : job.inputs) names += (names.empty() ? "" : " ") + input;
  return names;
}

std::string json_line(const nlohmann::ordered_json& object) {
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

// What goes to standard output, in the order of the jobs whatever the order in which they end.
class OrderedOutput {
 public:
  /// Once for each job; a job that fails prints nothing.
  void add(std::size_t job, std::string text) {
    const std::lock_guard lock(mutex_);
    waiting_[job] = std::move(text);
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_; ++next_) {
      std::fputs(first->second.c_str(), stdout);
      first = waiting_.erase(first);
    }
  }

 private:
  std::mutex mutex_;
  std::size_t next_ = 0;
  std::map<std::size_t, std::string> waiting_;
};

// Everything that is printed on standard error, by whole lines, from any thread.
class Reporter {
 public:
  Reporter(const CommonOptions& common, std::size_t jobs) : common_(common), jobs_(jobs) {
    const bool terminal = isatty(STDERR_FILENO) == 1;
    rewrites_ = terminal;
    shows_progress_ =
        !common.quiet && (common.progress == Progress::always ||
                          (common.progress == Progress::automatic && terminal && jobs > 1));
  }

  void error(const std::string& what) {
    const std::lock_guard lock(mutex_);
    print("cuimg: " + what);
    ++failures_;
  }

  void done(const Job& job, const RunReport& report) {
    const std::lock_guard lock(mutex_);
    const std::string name = printable(job.name());
    if (common_.json) {
      // What is told ahead says it all.
      if (!common_.dry_run && (common_.explain || common_.timing || report.difference))
        write(json(job, report));
    } else {
      const std::string prefix = jobs_ > 1 ? name + ": " : "";
      if (common_.explain)
        for (const std::string& line : report.explanation) print(prefix + printable(line));
      if (common_.timing)
        for (const StepTime& time : report.times)
          print(fmt::format("{}{:<16} {:10.1f} ms {}", prefix, time.step, time.milliseconds,
                            told(time.clock)));
      if (report.difference) print("cuimg: " + name + ": " + printable(*report.difference));
    }
    if (common_.verbose)
      for (const std::string& note : report.notes) print("cuimg: " + name + ": " + printable(note));
    if (common_.verbose && !report.fallback.empty() &&
        told_fallbacks_.insert(report.fallback).second)
      print("cuimg: " + printable(report.fallback) + "; the CPU does it instead");
    if (report.difference) ++differences_;
    if (common_.verbose && !job.output.empty() && !common_.dry_run)
      print("cuimg: " + name + " -> " + printable(job.output));
  }

  void skipped(const Job& job) {
    const std::lock_guard lock(mutex_);
    if (common_.verbose) print("cuimg: " + printable(job.output) + " exists, skipped");
  }

  void progress(const Job& job) {
    const std::lock_guard lock(mutex_);
    ++finished_;
    if (!shows_progress_) return;
    const std::string line = fmt::format("[{}/{}] {}", finished_, jobs_, printable(job.name()));
    if (rewrites_) {
      std::fputs(("\r\x1b[K" + line).c_str(), stderr);
      line_open_ = true;
    } else {
      print(line);
    }
  }

  int finish() {
    const std::lock_guard lock(mutex_);
    if (failures_ > 0 && jobs_ > 1)
      print(fmt::format("cuimg: {} of {} images failed", failures_, jobs_));
    if (line_open_) std::fputs("\n", stderr);
    return failures_ > 0 ? 2 : differences_ > 0 ? 1 : 0;
  }

 private:
  static const char* name_of(StepClock clock) {
    return clock == StepClock::processor ? "processor" : clock == StepClock::card ? "card" : "wall";
  }
  static const char* told(StepClock clock) {
    return clock == StepClock::processor ? "of processor time"
           : clock == StepClock::card    ? "on the card"
                                         : "after the start";
  }
  static std::string json(const Job& job, const RunReport& report) {
    nlohmann::ordered_json object = {{"input", joined(job)}, {"output", job.output}};
    object["explanation"] = report.explanation;
    object["timing"] = nlohmann::json::array();
    for (const StepTime& time : report.times)
      object["timing"].push_back({{"step", time.step},
                                  {"milliseconds", time.milliseconds},
                                  {"clock", name_of(time.clock)}});
    if (report.difference) object["difference"] = *report.difference;
    return json_line(object);
  }

  void print(const std::string& line) { write(line + "\n"); }
  void write(const std::string& lines) {
    // Not fmt::print, which throws when standard error is closed.
    std::fputs(((line_open_ ? "\r\x1b[K" : "") + lines).c_str(), stderr);
    line_open_ = false;
  }

  const CommonOptions& common_;
  const std::size_t jobs_;
  bool shows_progress_ = false, rewrites_ = false, line_open_ = false;
  std::set<std::string> told_fallbacks_;
  std::size_t finished_ = 0, failures_ = 0, differences_ = 0;
  std::mutex mutex_;
};

bool exists(const std::string& path) {
  std::error_code ignored;
  return path != "-" && std::filesystem::exists(path, ignored);
}

// What --dry-run says of an image.
std::string told_ahead(const Invocation& invocation, const Job& job, const RunReport& report,
                       bool skipped) {
  const CommonOptions& common = invocation.common;
  const std::string chain = chain_words(invocation.stages, common.explain);
  if (common.json) {
    nlohmann::ordered_json object = {
        {"input", joined(job)}, {"output", job.output}, {"chain", chain}};
    if (common.explain) object["explanation"] = report.explanation;
    if (skipped) object["skipped"] = true;
    return json_line(object);
  }
  std::string line;
  if (!job.inputs.empty()) line += printable(joined(job));
  if (!job.output.empty()) line += (line.empty() ? "-> " : " -> ") + printable(job.output);
  return line + ": " + printable(chain) + (skipped ? " (exists, skipped)" : "") + "\n";
}

// Returns what is printed on standard output: a sink's text, or what would be done.
std::string run_one(const Invocation& invocation, const Job& job, const RunOne& run,
                    RunCache& shared, Reporter& reporter) {
  const CommonOptions& common = invocation.common;
  if (common.skip_existing && !job.output.empty() && exists(job.output)) {
    if (common.dry_run) return told_ahead(invocation, job, {}, true);
    reporter.skipped(job);
    return {};
  }
  if (job.makes_folders && !common.dry_run) {
    const std::filesystem::path folder = std::filesystem::path(job.output).parent_path();
    std::error_code error;
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    if (error) throw Error(folder.string(), error.message());
  }
  RunReport report = run(invocation.stages, job, common, shared);
  reporter.done(job, report);
  if (common.dry_run) return told_ahead(invocation, job, report, false);
  return std::move(report.printed);
}

}  // namespace

int run_invocation(const Invocation& invocation, const RunOne& run,
                   const Environment& environment) {
  milliseconds_worth_a_card(environment);  // whatever is wrong with it is no image's fault
  const std::vector<Job> all = plan_jobs(invocation);
  const Share share = resolve_shard(invocation.common.shard, environment);
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (share.holds(i)) jobs.emplace_back(all[i]).alone = all.size() == 1;
  RunCache shared;
  Reporter reporter(invocation.common, jobs.size());
  OrderedOutput output;
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size() && !stop; i = next++) {
      const std::string& name = jobs[i].name();
      std::string printed;
      try {
        printed = run_one(invocation, jobs[i], run, shared, reporter);
      } catch (const std::bad_alloc&) {
        reporter.error(printable(name) + ": out of memory");
        stop = invocation.common.fail_fast;
      } catch (const std::exception& error) {
        std::vector<std::string> names = jobs[i].inputs;
        names.push_back(jobs[i].output);
        reporter.error(naming(name, error.what(), names));
        stop = invocation.common.fail_fast;
      }
      output.add(i, std::move(printed));
      reporter.progress(jobs[i]);
    }
  };
  const std::size_t threads =
      std::min(static_cast<std::size_t>(invocation.common.jobs), jobs.size());
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  others.clear();
  return reporter.finish();
}

}  // namespace cuimg

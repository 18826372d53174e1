// SPDX-License-Identifier: Apache-2.0
// Doing the jobs: several at a time, errors gathered, reports on standard error.
#include "pipeline/folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <new>
#include <nlohmann/json.hpp>
#include <thread>

#include "image/error.h"

namespace cuimg {
namespace {

// Everything that is printed, by whole lines, from any thread.
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
    const std::string name = printable(job.input.empty() ? job.output : job.input);
    if (common_.json) {
      if (common_.explain || common_.timing || report.difference) print(json(job, report));
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
    if (report.difference) ++differences_;
    if (common_.verbose && !job.output.empty())
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
    const std::string line = fmt::format("[{}/{}] {}", finished_, jobs_,
                                         printable(job.input.empty() ? job.output : job.input));
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
    nlohmann::ordered_json object = {{"input", job.input}, {"output", job.output}};
    object["explanation"] = report.explanation;
    object["timing"] = nlohmann::json::array();
    for (const StepTime& time : report.times)
      object["timing"].push_back({{"step", time.step},
                                  {"milliseconds", time.milliseconds},
                                  {"clock", name_of(time.clock)}});
    if (report.difference) object["difference"] = *report.difference;
    return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  void print(const std::string& line) {
    // Not fmt::print, which throws when standard error is closed.
    std::fputs(((line_open_ ? "\r\x1b[K" : "") + line + "\n").c_str(), stderr);
    line_open_ = false;
  }

  const CommonOptions& common_;
  const std::size_t jobs_;
  bool shows_progress_ = false, rewrites_ = false, line_open_ = false;
  std::size_t finished_ = 0, failures_ = 0, differences_ = 0;
  std::mutex mutex_;
};

bool exists(const std::string& path) {
  std::error_code ignored;
  return path != "-" && std::filesystem::exists(path, ignored);
}

void run_one(const Invocation& invocation, const Job& job, const RunOne& run, Reporter& reporter) {
  if (invocation.common.skip_existing && !job.output.empty() && exists(job.output)) {
    reporter.skipped(job);
    return;
  }
  if (job.makes_folders) {
    const std::filesystem::path folder = std::filesystem::path(job.output).parent_path();
    std::error_code error;
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    if (error) throw Error(folder.string(), error.message());
  }
  reporter.done(job, run(invocation.stages, job.input, job.output, invocation.common));
}

void print_plan(const Invocation& invocation, const std::vector<Job>& jobs) {
  const std::string chain = chain_words(invocation.stages, invocation.common.explain);
  for (const Job& job : jobs) {
    if (invocation.common.json) {
      const nlohmann::ordered_json object = {
          {"input", job.input}, {"output", job.output}, {"chain", chain}};
      std::puts(object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
      continue;
    }
    std::string line;
    if (!job.input.empty()) line += printable(job.input);
    if (!job.output.empty()) line += (line.empty() ? "-> " : " -> ") + printable(job.output);
    line += ": " + printable(chain);
    if (invocation.common.skip_existing && exists(job.output)) line += " (exists, skipped)";
    std::puts(line.c_str());
  }
}

}  // namespace

int run_invocation(const Invocation& invocation, const RunOne& run,
                   const Environment& environment) {
  const std::vector<Job> all = plan_jobs(invocation);
  const Share share = resolve_shard(invocation.common.shard, environment);
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (share.holds(i)) jobs.push_back(all[i]);
  if (invocation.common.dry_run) {
    print_plan(invocation, jobs);
    return 0;
  }

  Reporter reporter(invocation.common, jobs.size());
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size() && !stop; i = next++) {
      const std::string& name = jobs[i].input.empty() ? jobs[i].output : jobs[i].input;
      try {
        run_one(invocation, jobs[i], run, reporter);
      } catch (const std::bad_alloc&) {
        reporter.error(printable(name) + ": out of memory");
        stop = invocation.common.fail_fast;
      } catch (const std::exception& error) {
        reporter.error(error.what());
        stop = invocation.common.fail_fast;
      }
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

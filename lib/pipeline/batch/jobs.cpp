// SPDX-License-Identifier: Apache-2.0
// Doing the jobs, several at a time; one that fails does not stop the others.
#include "pipeline/batch/jobs.h"

#include <atomic>
#include <filesystem>
#include <new>
#include <thread>

#include "base/error.h"
#include "pipeline/batch/reporter.h"
#include "pipeline/worth_a_card.h"

namespace cuimg {
namespace {

bool exists(const std::string& path) {
  std::error_code ignored;
  return path != "-" && std::filesystem::exists(path, ignored);
}

// Returns what to print on standard output: a sink's text, or --dry-run's line.
std::string run_one(const Invocation& invocation, const Job& job, const RunOne& run,
                    RunCache& shared, Reporter& reporter) {
  const CommonOptions& common = invocation.common;
  if (common.skip_existing && !job.output.empty() && exists(job.output)) {
    if (common.dry_run) return dry_run_line(invocation, job, {}, true);
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
  if (common.dry_run) return dry_run_line(invocation, job, report, false);
  return std::move(report.printed);
}

}  // namespace

int run_invocation(const Invocation& invocation, const RunOne& run,
                   const Environment& environment) {
  milliseconds_worth_a_card(environment);  // a bad variable is the command's error, not an image's
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

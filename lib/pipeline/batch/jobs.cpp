// SPDX-License-Identifier: Apache-2.0
// Runs the jobs, several at a time; a failed job does not stop the others.
#include "pipeline/batch/jobs.h"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <new>
#include <optional>
#include <span>
#include <system_error>

#include "base/error.h"
#include "base/memory_budget.h"
#include "base/threads.h"
#include "base/trace.h"
#include "device/card_session.h"
#include "image/pixel_reuse.h"
#include "io/output_file.h"
#include "io/signals.h"
#include "pipeline/batch/plan_jobs.h"
#include "pipeline/batch/reporter.h"
#include "pipeline/batch/resume.h"
#include "pipeline/batch/sink_files.h"
#include "pipeline/pixel_memory.h"
#include "pipeline/run/work_places.h"

namespace cuimg {
namespace {

// The number of files that the process may open in addition to those that are open (`ulimit -n`).
std::size_t files_left_to_open() {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  std::error_code error;
  std::size_t open = 3;  // if there is no /proc
  std::filesystem::directory_iterator entry("/proc/self/fd", error);
  if (!error) open = static_cast<std::size_t>(std::distance(begin(entry), end(entry))) - 1;
  return static_cast<std::size_t>(limit.rlim_cur) - std::min<std::size_t>(limit.rlim_cur, open);
}

void make_folder_of(const std::string& output) {
  const std::filesystem::path folder = std::filesystem::path(output).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) throw Error(folder.string(), error.message());
}

// The fingerprints of all outputs of the command.
struct Fingerprints {
  /// @param files of a job, if its options name the files of a frame.
  explicit Fingerprints(const Invocation& invocation, std::span<const StageFile> files = {})
      : end(invocation.stages, invocation.common, files) {
    for (const Tee& tee : invocation.tees)
      tees.emplace_back(Chain(invocation.stages).first(tee.stages), tee.common, files);
  }
  // Stores the fingerprint with each of a job's outputs, to recognise it later.
  void mark_outputs(Job& job) const {
    job.mark = end.hash(job);
    for (std::size_t i = 0; i < job.tees.size(); ++i) job.tees[i].mark = tees[i].hash(job.tees[i]);
  }

  const OutputFingerprint end;
  std::vector<OutputFingerprint> tees;
};

// For --skip-existing: whether all of the job's outputs are what it would make.
bool is_made_already(const Job& job, JobReport& lines) {
  if (job.output.empty()) return false;  // a sink's printed output never exists in advance
  bool all = true;
  for (const Job* const made : outputs_of(job)) {
    const Existing existing = existing_output(*made, made->mark);
    all = all && existing == Existing::same;
    if (existing != Existing::same && existing != Existing::none)
      lines.made_anew(made->output, existing);
  }
  return all;
}

struct Workers {
  std::size_t threads;  ///< CPU threads for all images together.
  std::size_t images;   ///< Images processed at a time.
  /// Including images that wait: with more there would be no files left to open.
  std::size_t most_images;
};

// An image has its input open, its outputs with their folders, and a file in the scratch folder.
// Some descriptors are reserved for other uses: a card's driver, lists and second images.
std::size_t images_with_open_files(std::size_t outputs) {
  const std::size_t left = files_left_to_open();
  return std::max<std::size_t>((left - std::min<std::size_t>(left / 4, 64)) / (2 + 2 * outputs), 1);
}

// Slightly more images are in progress than there are threads, so that one can compute while
// another waits for its file.
Workers workers_of(const CommonOptions& common, std::size_t outputs) {
  const int threads = common.threads > 0 ? common.threads : hardware_threads();
  const int images = common.jobs > 0 ? common.jobs : threads + std::max(1, threads / 4);
  const std::size_t most = images_with_open_files(outputs);
  return {static_cast<std::size_t>(threads), std::min(static_cast<std::size_t>(images), most),
          most};
}

// Images wait for a card's context in decoded form, each with its own memory: in a quarter of a
// second 16 cores read the coefficients of 170 JPEGs of 3840x2160. Creating the context takes twice
// as long if no core is left for it (16 cores, an NVIDIA H100, driver 580, 2026-11-25). With large
// pixels not all images should wait: 400 half EXRs of 3840x2160 without compression took 4.5 s when
// all waited, and 2.7 s when as many waited as there are cores (32 cores, an H100, 2026-11-26).
WorkPlaces::Lending lending(const Workers& workers, const CommonOptions& common,
                            std::uint64_t memory_bytes) {
  if (common.jobs > 0) return {};
  constexpr std::uint64_t bytes_of_thread = std::uint64_t{256} << 20;
  return {std::min(6 * workers.threads, workers.most_images - workers.images), workers.threads - 1,
          std::min(memory_bytes / 4, bytes_of_thread * workers.threads)};
}

// The chain with an input's own files instead of the sequences and keys that it names.
std::vector<BoundStage> stages_of(const Invocation& invocation, const Job& job) {
  if (job.stage_files.empty()) return invocation.stages;
  std::vector<std::string> paths;
  for (const StageFile& file : job.stage_files) paths.push_back(file.path);
  return with_files(invocation.stages, paths);
}

// Runs single jobs, with the data that all jobs of a run share. May be called from several threads.
class JobRunner {
 public:
  JobRunner(const Invocation& invocation, const Workers& workers, std::size_t jobs,
            const RunOne& run, SharedByImages& shared)
      : invocation_(invocation), workers_(workers), jobs_(jobs), run_(run), shared_(shared) {}

  // @param left images that have not begun, including this one. @returns false if it failed.
  bool run(const Job& job, std::size_t left, JobReport& lines) const {
    const std::string& name = job.name();
    try {
      run_or_throw(job, left, lines);
      return true;
    } catch (const std::bad_alloc&) {
      lines.failed(printable(name) + ": out of memory");
    } catch (const std::exception& error) {
      std::vector<std::string> names = job.inputs;
      for (const Job* const made : outputs_of(job)) names.push_back(made->output);
      lines.failed(naming(name, error.what(), names));
    }
    return false;
  }

 private:
  void run_or_throw(Job job, std::size_t left, JobReport& lines) const {
    const CommonOptions& common = invocation_.common;
    if (!job.problem.empty()) throw Error(job.name(), job.problem);
    const Invocation one = invocation_of(job, left);
    if (job.stage_files.empty())
      fingerprints_.mark_outputs(job);
    else
      Fingerprints(one, job.stage_files).mark_outputs(job);
    if (common.skip_existing && is_made_already(job, lines)) {
      if (common.dry_run) return lines.print(dry_run_line(one, job, {}, true));
      return lines.skipped();
    }
    if (!common.dry_run)
      for (const Job* const made : outputs_of(job))
        if (made->makes_folders) make_folder_of(made->output);
    const RunReport report = run_(one, job, shared_);
    if (common.dry_run)
      for (const std::string& file : files_of_sink(one, job, job.alone))
        check_output(file, common.no_clobber, false);
    lines.done(report);
    lines.print(common.dry_run ? dry_run_line(one, job, report, false) : report.printed);
  }

  // Many images with one thread each are done sooner than with many threads each: by a third on 16
  // cores (100 half ZIP EXRs of 3840x2160 to 50 %, the host of an NVIDIA H200, 2026-11-23).
  //
  // The last images get the remaining threads. Unless --threads limits them, each gets at least as
  // many as occupy every core while only half of the images is left: they begin at nearly the same
  // time, and one that had a single thread would end last, with only one core (40 tiled ZIP EXRs of
  // 3840x2160 to 50 %: 2.06 s with a single thread, 1.68 s now, as with 8 images at a time; 16
  // cores, the host of an NVIDIA H200, 2026-12-01, means of two).
  int threads_of_image(std::size_t left) const {
    const std::size_t threads = workers_.threads, together = std::min(workers_.images, jobs_);
    const auto share = [threads](std::size_t images) { return (threads + images - 1) / images; };
    if (left > together) return static_cast<int>(share(together));
    const bool is_limited = invocation_.common.threads > 0;
    const std::size_t least = is_limited ? 1 : share((together + 1) / 2);
    return static_cast<int>(std::max(share(left), least));
  }

  // A job's own invocation: with its files and its share of the threads.
  Invocation invocation_of(const Job& job, std::size_t left) const {
    // Without the names of all inputs, which may be many: the files of an image are those of its
    // job.
    Invocation one = {stages_of(invocation_, job),  invocation_.tees,  {}, invocation_.output,
                      invocation_.output_by_option, invocation_.common};
    if (job.part) {
      one.common.part = {PartChoice::Kind::one, PartId{*job.part}};
      for (Tee& tee : one.tees) tee.common.part = one.common.part;
    }
    if (std::min(workers_.images, left) < 2) return one;
    one.common.threads = threads_of_image(left);
    for (Tee& tee : one.tees) tee.common.threads = one.common.threads;
    return one;
  }

  const Invocation& invocation_;
  const Workers workers_;
  const std::size_t jobs_;
  const RunOne& run_;
  SharedByImages& shared_;
  const Fingerprints fingerprints_{invocation_};
};

void print_remarks(const Remarks& remarks, const CommonOptions& common) {
  if (common.quiet) return;
  for (const std::string& remark : remarks) std::fputs(("cuimg: " + remark + "\n").c_str(), stderr);
}

std::vector<Job> plan_and_remark(const Invocation& invocation) {
  Remarks remarks;
  try {
    std::vector<Job> jobs = plan_jobs(invocation, remarks);
    print_remarks(remarks, invocation.common);
    return jobs;
  } catch (const Error&) {
    print_remarks(remarks, invocation.common);  // they may explain why a folder contains no images
    throw;
  }
}

/// The number of the first cards that a run may use, if it is known before cards are counted.
std::optional<int> first_cards(const DeviceChoice& device, std::size_t images) {
  constexpr int more_than_any_machine_has = 1024;
  if (device.cards.empty()) return images == 1 ? std::optional(1) : std::nullopt;
  const int last = *std::ranges::max_element(device.cards);
  return last < more_than_any_machine_has ? std::optional(last + 1) : std::nullopt;
}

}  // namespace

int run_invocation(const Invocation& invocation, const RunOne& run,
                   const Environment& environment) {
  // a wrong variable is an error of the command, not of an image
  milliseconds_worth_a_card(environment);
  const std::vector<Job> all = plan_and_remark(invocation);
  const InputShare share = resolve_shard(invocation.common.shard, environment);
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (share.holds(i)) jobs.emplace_back(all[i]).alone = all.size() == 1;
  std::optional<Trace> trace;
  if (!invocation.common.trace.empty()) {
    check_output(invocation.common.trace, invocation.common.no_clobber, false);
    if (!invocation.common.dry_run) trace.emplace();
  }
  std::optional<std::uint64_t> card_bytes;
  if (invocation.common.max_card_memory) {
    card_bytes = invocation.common.max_card_memory->bytes;
    limit_card_memory(*card_bytes);
  }
  if (const auto count = first_cards(invocation.common.device, jobs.size()))
    see_first_cards(*count);
  // Streams that share a connection can still copy while another stream's kernels run, so one
  // connection does not slow down a single image. With several images, the kernels of each one fill
  // a card.
  make_few_connections(jobs.size() > 1 ? 2 : 1);
  const Workers workers = workers_of(invocation.common, 1 + invocation.tees.size());
  if (invocation.common.verbose && workers.images == workers.most_images &&
      workers.images < jobs.size())
    print_remarks({std::to_string(workers.images) + (workers.images == 1 ? " image" : " images") +
                   " at a time: the limit on open files allows no more (ulimit -n)"},
                  invocation.common);
  const std::uint64_t memory_bytes = memory_for_pixels(invocation.common);
  WorkPlaces places(std::min(workers.images, jobs.size()),
                    lending(workers, invocation.common, memory_bytes));
  WorkPlaces* const lent_places = jobs.size() > 1 ? &places : nullptr;
  SharedByImages shared{{},
                        MemoryBudget(memory_bytes),
                        trace ? &*trace : nullptr,
                        CardChoice(jobs.size(), invocation.common.threads),
                        CardShares(invocation.common.device, card_bytes, lent_places),
                        lent_places};
  const JobRunner runner(invocation, workers, jobs.size(), run, shared);
  Reporter reporter(invocation.common, jobs.size(), all);
  // With a single image Ctrl-C ends the program immediately: there is nothing else to finish.
  const FinishOnInterrupt interrupt(jobs.size() > 1);
  const PixelReuse reuse;
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;
  places.work([&] {
    const std::size_t i = next++;
    if (i >= jobs.size() || stop || interrupt.came()) return false;
    JobReport lines(invocation.common, jobs[i], jobs.size() == 1);
    if (!runner.run(jobs[i], jobs.size() - i, lines)) stop = stop || invocation.common.fail_fast;
    reporter.add(i, std::move(lines));
    return true;
  });
  const int code = reporter.finish(interrupt.came());
  if (trace) write_text_file(invocation.common.trace, trace->json(), invocation.common.no_clobber);
  return code;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// One image from file to file: decoding, computing and encoding overlap, each a thread of its own.
#include "pipeline/run.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <memory>
#include <mutex>
#include <thread>

#include "image/error.h"
#include "io/codec.h"
#include "pipeline/decode_options.h"
#include "pipeline/difference.h"
#include "pipeline/execute.h"
#include "pipeline/mip_levels.h"
#include "pipeline/plan.h"
#include "pipeline/worth_a_card.h"

namespace cuimg {
namespace {

// A card's queue costs a context and a self-check, so runs of one process hand it on.
class CardQueues {
 public:
  class Lease {
   public:
    Lease(int index, int threads) : index_(index), queue_(take(index, threads)) {}
    ~Lease() { give_back(index_, std::move(queue_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Queue& operator*() { return queue_; }

   private:
    int index_;
    Queue queue_;
  };

 private:
  struct Idle {
    int index;
    Queue queue;
  };
  static std::mutex& mutex() {
    static std::mutex instance;
    return instance;
  }
  static std::vector<Idle>& idle() {
    static std::vector<Idle> instance;
    return instance;
  }
  static Queue take(int index, int threads) {
    {
      const std::lock_guard lock(mutex());
      for (auto entry = idle().begin(); entry != idle().end(); ++entry) {
        if (entry->index != index) continue;
        Queue queue = std::move(entry->queue);
        idle().erase(entry);
        return queue;
      }
    }
    return Queue::cuda(index, threads);
  }
  static void give_back(int index, Queue queue) {
    const std::lock_guard lock(mutex());
    idle().push_back({index, std::move(queue)});
  }
};

// A thread whose end is told through a RowProgress, failure included.
template <class Work>
std::jthread start(RowProgress& progress, Work work) {
  return std::jthread([&progress, work = std::move(work)] {
    try {
      work();
      progress.finish();
    } catch (...) {
      progress.fail(std::current_exception());
    }
  });
}

class Clock {
 public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_)
        .count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

bool is_worth_a_card(const Plan& plan, const CommonOptions& common) {
  const int threads = Queue::cpu(common.threads).threads();
  return plan.cost_ns() / 1e6 / threads > milliseconds_worth_a_card();
}

// Where the plan runs, with the fallback that --device auto allows.
class Execution {
 public:
  Execution(const Plan& plan, const CommonOptions& common, RunReport& report)
      : plan_(plan), common_(common), report_(report) {}

  void run(const Image& source, RowProgress& ready, Image& target, RowProgress& done) {
    using Kind = DeviceChoice::Kind;
    switch (common_.device.kind) {
      case Kind::cpu:
        return on_cpu(source, ready, target, done);
      case Kind::cuda:
        return on_card(source, ready, target, done);
      case Kind::both:
        return on_both(source, ready, target, done);
      case Kind::automatic:
        return wherever(source, ready, target, done);
    }
  }

 private:
  void on_cpu(const Image& source, RowProgress& ready, Image& target, RowProgress& done) {
    Queue queue = Queue::cpu(common_.threads);
    if (common_.timing) queue.keep_times();
    tell_device(queue);
    execute(plan_, queue, source, ready, target, done);
    collect_times(queue);
  }

  void on_card(const Image& source, RowProgress& ready, Image& target, RowProgress& done) {
    CardQueues::Lease queue(common_.device.index, common_.threads);
    if (common_.timing) (*queue).keep_times();
    tell_device(*queue);
    execute(plan_, *queue, source, ready, target, done);
    collect_times(*queue);
  }

  void on_both(const Image& source, RowProgress& ready, Image& target, RowProgress& done) {
    Image other(target.spec());
    RowProgress other_done;
    on_card(source, ready, other, other_done);
    on_cpu(source, ready, target, done);
    report_.difference = difference(target, other);
  }

  void wherever(const Image& source, RowProgress& ready, Image& target, RowProgress& done) {
    if (is_worth_a_card(plan_, common_)) {
      try {
        // The target's rows are shown to the encoder only once all are there, so that the CPU
        // can begin afresh.
        RowProgress unseen;
        return on_card(source, ready, target, unseen);
      } catch (const DeviceError& error) {
        report_.fallback = error.what();
      }
    } else if (common_.verbose) {
      report_.fallback = list_devices(false).problem;
    }
    on_cpu(source, ready, target, done);
  }

  void tell_device(const Queue& queue) { report_.explanation.push_back("device: " + queue.name()); }
  void collect_times(const Queue& queue) {
    for (StepTime& time : queue.take_times()) report_.times.push_back(std::move(time));
  }

  const Plan& plan_;
  const CommonOptions& common_;
  RunReport& report_;
};

// What the stages make is limited like what files hold, and before any of it is allocated.
void check_sizes(const Plan& plan, std::uint64_t limit) {
  for (const PlannedStep& step : plan.steps) {
    const Rect made = step.operation->output().data_window;
    const auto pixels = static_cast<std::uint64_t>(made.pixels());
    if (pixels > limit)
      throw Error(step.name,
                  "its " + std::to_string(made.width) + "x" + std::to_string(made.height) +
                      " are " + std::to_string(pixels) + " pixels, past the limit of " +
                      std::to_string(limit),
                  "raise it with --limit-pixels");
  }
}

// Images above this size are not held whole where their rows can be done one after another.
constexpr std::size_t keep_near_bytes = std::size_t{64} << 20;

// Lets a quarter of that lie between those that make an image's rows and those that use them.
void keep_near(RowProgress& progress, Image& image) {
  const int height = std::max(1, image.spec().data_window.height);
  const std::size_t row =
      std::max<std::size_t>(1, image.spec().pixel_bytes() / static_cast<std::size_t>(height));
  progress.keep_near(static_cast<int>(std::min<std::size_t>(keep_near_bytes / 4 / row, INT_MAX)),
                     [&image](int first, int last) { image.forget_rows(first, last); });
}

// However the encoder ends, nobody waits for it to use more rows.
struct Abandon {
  RowProgress &decoded, &computed;
  ~Abandon() {
    decoded.abandon();
    computed.abandon();
  }
};

bool takes_one_input(const std::vector<BoundStage>& stages) {
  if (stages.empty()) return true;
  const Kind kind = stages.front().kind();
  return kind != Kind::source && kind != Kind::reducer;
}

// The pixels' place in the file: formats without windows begin at 0, 0.
Spec file_spec(const Spec& planned, const Codec& codec) {
  Spec spec = planned;
  if (!codec.capabilities.windows) {
    spec.data_window.x = spec.data_window.y = 0;
    spec.display_window = spec.data_window;
  }
  return spec;
}

}  // namespace

RunReport run_image(const std::vector<BoundStage>& stages, const Job& job,
                    const CommonOptions& common) {
  RunReport report;
  std::optional<std::string> difference_of_levels;
  std::mutex telling;
  const Notify notify = [&](const std::string& note) {
    const std::lock_guard lock(telling);
    report.notes.push_back(note);
  };
  const BoundStage* const sink =
      !stages.empty() && stages.back().kind() == Kind::sink ? &stages.back() : nullptr;
  const Codec* const codec = sink ? nullptr : &codec_for_output(job.output, common.format);
  const DeviceChoice& device = common.device;
  const bool must_use_card =
      device.kind == DeviceChoice::Kind::cuda || device.kind == DeviceChoice::Kind::both;
  if (must_use_card && !common.dry_run) warm_up_cuda(device.index);
  const Clock clock;
  StageContext context;
  context.raw = common.raw;
  context.layers = common.layers;
  context.decode = decode_options(common, notify);
  std::unique_ptr<Decoder> decoder;
  if (takes_one_input(stages))
    decoder = open_image(ByteSource::open(job.inputs.front()), context.decode);
  else
    context.inputs = job.inputs;
  const Plan plan = make_plan(decoder ? decoder->spec() : Spec{},
                              std::vector(stages.begin(), stages.end() - (sink ? 1 : 0)), codec,
                              common.type, common.background.rgb, context);
  check_sizes(plan, common.limit_pixels);
  report.explanation = plan.explanation;
  EncodeOptions encode{common.compression, common.quality, common.threads};
  if (codec) chosen_compression(encode, *codec);
  if (common.dry_run) {
    if (codec) check_output(job.output, common.no_clobber, job.makes_folders);
    return report;
  }

  const bool may_use_card = device.kind == DeviceChoice::Kind::automatic &&
                            is_worth_a_card(plan, common) && may_have_cuda();
  // A card's context takes longer to make than most images to decode: both begin at once.
  if (may_use_card) warm_up_cuda(device.index);
  std::optional<OutputFile> file;
  if (codec) file.emplace(job.output, common.no_clobber);
  Image source(plan.input);
  RowProgress decoded, computed;
  double decode_ms = 0, compute_ms = 0;
  const Spec written = codec ? file_spec(plan.output(), *codec) : plan.output();
  // Nothing to do at all: the decoded rows are encoded as they come.
  const bool computes = !plan.steps.empty() || written != source.spec() || must_use_card;
  Image target(computes ? written : Spec{});
  const bool is_large = plan.input.pixel_bytes() + target.spec().pixel_bytes() > keep_near_bytes;
  // A card takes no row before its context is there, and must find them decoded by then. It fills
  // its image from one stream; --device both compares it when all is done.
  if (is_large && !must_use_card && !may_use_card) keep_near(decoded, source);
  if (is_large && codec && !must_use_card && !written.mip) keep_near(computed, target);
  {
    const std::jthread decoding = start(decoded, [&] {
      if (decoder) decoder->read(source, decoded);
      decode_ms = clock.milliseconds();
    });
    std::jthread computing;
    if (computes)
      computing = start(computed, [&] {
        Execution(plan, common, report).run(source, decoded, target, computed);
        compute_ms = clock.milliseconds();
      });
    const Abandon abandon{decoded, computed};
    const Image& result = computes ? target : source;
    if (written.mip && codec)
      encode.next_level = [&](const Image& finer) {
        return next_mip_level(finer, *written.mip, *codec, common.raw,
                              [&](const Plan& level, const Image& from, Image& to) {
                                RowProgress ready, done;
                                ready.finish();
                                RunReport told;
                                Execution(level, common, told).run(from, ready, to, done);
                                if (!difference_of_levels) difference_of_levels = told.difference;
                              });
      };
    if (codec) codec->encode(result, encode, computes ? computed : decoded, file->sink());
    // An encoder may not need the last word: failures after the last row, such as a checksum that
    // is wrong or a file that lacks its end, are failures all the same.
    decoded.wait_for(INT32_MAX);
    if (computes) computed.wait_for(INT32_MAX);
    if (sink)
      report.printed =
          sink->description->report(sink->parameters.get(), result,
                                    {job.name(), common.json, Queue::cpu(common.threads), job.alone,
                                     common.no_clobber, plan.chosen});
  }
  if (!report.difference) report.difference = difference_of_levels;
  if (decoder) report.times.push_back({"decoded", decode_ms, StepClock::wall});
  if (computes) report.times.push_back({"computed", compute_ms, StepClock::wall});
  report.times.push_back({sink ? "reported" : "encoded", clock.milliseconds(), StepClock::wall});
  if (!file) return report;
  file->commit();
  report.times.push_back({"written", clock.milliseconds(), StepClock::wall});
  return report;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// One image from file to file: decoding, computing and encoding overlap, each a thread of its own.
#include "pipeline/run.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <thread>

#include "image/error.h"
#include "io/codec.h"
#include "pipeline/difference.h"
#include "pipeline/execute.h"
#include "pipeline/plan.h"
#include "pipeline/shard.h"

namespace cuimg {
namespace {

// Below this estimate of its own time the CPU is done before a card's context is made. The variable
// CUIMG_AUTO_CARD_MS sets another: for tests, and for machines where 300 is a bad guess.
double milliseconds_worth_a_card() {
  double milliseconds = 300;
  const char* const name = "CUIMG_AUTO_CARD_MS";
  if (const auto text = process_environment()(name)) {
    try {
      parse_value(*text, at_least(0), milliseconds);
    } catch (const BadValue& bad) {
      throw Error(name, *text + " " + bad.problem, bad.advice);
    }
  }
  return milliseconds;
}

// A card's queue costs a context and a self-check, so runs of one process hand it on.
class CardQueues {
 public:
  class Lease {
   public:
    explicit Lease(int index) : index_(index), queue_(take(index)) {}
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
  static Queue take(int index) {
    {
      const std::lock_guard lock(mutex());
      for (auto entry = idle().begin(); entry != idle().end(); ++entry) {
        if (entry->index != index) continue;
        Queue queue = std::move(entry->queue);
        idle().erase(entry);
        return queue;
      }
    }
    return Queue::cuda(index);
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

// Where the plan runs, with the fallback that --device auto allows.
class Execution {
 public:
  Execution(const Plan& plan, const CommonOptions& common, const Notify& notify, RunReport& report)
      : plan_(plan), common_(common), notify_(notify), report_(report) {}

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
    CardQueues::Lease queue(common_.device.index);
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
    const int threads = Queue::cpu(common_.threads).threads();
    if (plan_.cost_ns() / 1e6 / threads > milliseconds_worth_a_card()) {
      try {
        // The target's rows are shown to the encoder only once all are there, so that the CPU
        // can begin afresh.
        RowProgress unseen;
        return on_card(source, ready, target, unseen);
      } catch (const DeviceError& error) {
        notify_(std::string(error.what()) + "; the CPU does it instead");
      }
    } else if (common_.verbose) {
      const std::string problem = list_devices(false).problem;
      if (!problem.empty()) notify_(problem + "; the CPU does it instead");
    }
    on_cpu(source, ready, target, done);
  }

  void tell_device(const Queue& queue) { report_.explanation.push_back("device: " + queue.name()); }
  void collect_times(const Queue& queue) {
    for (StepTime& time : queue.take_times()) report_.times.push_back(std::move(time));
  }

  const Plan& plan_;
  const CommonOptions& common_;
  const Notify& notify_;
  RunReport& report_;
};

DecodeOptions decode_options(const CommonOptions& common, const Notify& notify) {
  DecodeOptions options;
  options.part = common.part;
  options.mip_level = common.mip_level;
  options.raw = common.raw;
  options.limit_pixels = common.limit_pixels;
  options.threads = common.threads;
  options.notify = notify;
  return options;
}

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

RunReport run_image(const std::vector<BoundStage>& stages, const std::string& input,
                    const std::string& output, const CommonOptions& common) {
  RunReport report;
  std::mutex telling;
  const Notify notify = [&](const std::string& note) {
    const std::lock_guard lock(telling);
    report.notes.push_back(note);
  };
  const Codec& codec = codec_for_output(output, common.format);
  const DeviceChoice& device = common.device;
  if (device.kind == DeviceChoice::Kind::cuda || device.kind == DeviceChoice::Kind::both)
    warm_up_cuda(device.index);
  const Clock clock;
  const StageContext context{common.raw, decode_options(common, notify)};
  const std::unique_ptr<Decoder> decoder = open_image(ByteSource::open(input), context.decode);
  const auto& background = common.background.rgba;
  const Plan plan = make_plan(decoder->spec(), stages, &codec, common.type,
                              {background[0], background[1], background[2]}, context);
  check_sizes(plan, common.limit_pixels);
  report.explanation = plan.explanation;
  if (common.dry_run) return report;

  OutputFile file(output, common.no_clobber);
  Image source(decoder->spec());
  RowProgress decoded, computed;
  double decode_ms = 0, compute_ms = 0;
  const Spec written = file_spec(plan.output(), codec);
  // Nothing to do at all: the decoded rows are encoded as they come.
  const bool computes = !plan.steps.empty() || written != source.spec() ||
                        device.kind == DeviceChoice::Kind::both ||
                        device.kind == DeviceChoice::Kind::cuda;
  Image target(computes ? written : Spec{});
  {
    const std::jthread decoding = start(decoded, [&] {
      decoder->read(source, decoded);
      decode_ms = clock.milliseconds();
    });
    std::jthread computing;
    if (computes)
      computing = start(computed, [&] {
        Execution(plan, common, notify, report).run(source, decoded, target, computed);
        compute_ms = clock.milliseconds();
      });
    const EncodeOptions encode{common.compression, common.quality, common.threads};
    codec.encode(computes ? target : source, encode, computes ? computed : decoded, file.sink());
    // An encoder may not need the last word: failures after the last row, such as a checksum that
    // is wrong or a file that lacks its end, are failures all the same.
    decoded.wait_for(INT32_MAX);
    if (computes) computed.wait_for(INT32_MAX);
  }
  report.times.push_back({"decoded", decode_ms, StepClock::wall});
  if (computes) report.times.push_back({"computed", compute_ms, StepClock::wall});
  report.times.push_back({"encoded", clock.milliseconds(), StepClock::wall});
  file.commit();
  report.times.push_back({"written", clock.milliseconds(), StepClock::wall});
  return report;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// One image from file to file: decoding, computing and encoding overlap, each a thread of its own.
#include "pipeline/run.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <memory>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "io/codec.h"
#include "pipeline/decode_options.h"
#include "pipeline/difference.h"
#include "pipeline/execute.h"
#include "pipeline/limits.h"
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
        return on_the_card_asked_for(source, ready, target, done);
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

  void on_the_card_asked_for(const Image& source, RowProgress& ready, Image& target,
                             RowProgress& done) {
    try {
      on_card(source, ready, target, done);
    } catch (const DeviceError& error) {
      throw Error("--device", error.what(), "without a card use --device cpu or auto");
    }
  }

  void on_both(const Image& source, RowProgress& ready, Image& target, RowProgress& done) {
    Image other(target.spec());
    RowProgress other_done;
    on_the_card_asked_for(source, ready, other, other_done);
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

const BoundStage* sink_of(const std::vector<BoundStage>& stages) {
  return !stages.empty() && stages.back().kind() == Kind::sink ? &stages.back() : nullptr;
}

// One image on its way. Made, it is planned, and nothing is written yet.
class ImageRun {
 public:
  ImageRun(const std::vector<BoundStage>& stages, const Job& job, const CommonOptions& common,
           RunCache& shared)
      : stages_(stages), job_(job), common_(common), context_(make_context(shared)) {
    check_sizes(plan_, common.limit_pixels);
    if (decoder_) check_inflation(plan_, source_->bytes().size(), common.limit_pixels);
    report_.explanation = plan_.explanation;
    if (codec_) chosen_compression(encode_, *codec_);
  }

  /// As far as can be told without the pixels.
  RunReport check_only() {
    if (codec_) check_output(job_.output, common_.no_clobber, job_.makes_folders);
    return std::move(report_);
  }

  RunReport run() {
    const bool may_use_card = common_.device.kind == DeviceChoice::Kind::automatic &&
                              is_worth_a_card(plan_, common_) && may_have_cuda();
    // A card's context takes longer to make than most images to decode: both begin at once.
    if (may_use_card) warm_up_cuda(common_.device.index);
    std::optional<OutputFile> file;
    if (codec_) file.emplace(job_.output, common_.no_clobber);
    Image source(plan_.input), target(computes_ ? written_ : Spec{});
    keep_rows_near(source, target, may_use_card);
    {
      const std::jthread decoding = start_decoding(source);
      const std::jthread computing = start_computing(source, target);
      const Abandon abandon{decoded_, computed_};
      const Image& result = computes_ ? target : source;
      if (file) encode(result, *file);
      // An encoder may not need the last word: failures after the last row, such as a checksum that
      // is wrong or a file that lacks its end, are failures all the same.
      decoded_.wait_for(INT32_MAX);
      if (computes_) computed_.wait_for(INT32_MAX);
      if (sink_) tell(result);
    }
    if (!report_.difference) report_.difference = difference_of_levels_;
    if (decoder_) add_time("decoded", decode_ms_);
    if (computes_) add_time("computed", compute_ms_);
    add_time(sink_ ? "reported" : "encoded", clock_.milliseconds());
    if (file) {
      file->commit();
      add_time("written", clock_.milliseconds());
    }
    return std::move(report_);
  }

 private:
  bool must_use_card() const {
    using Kind = DeviceChoice::Kind;
    return common_.device.kind == Kind::cuda || common_.device.kind == Kind::both;
  }

  Clock begin() const {
    if (must_use_card() && !common_.dry_run) warm_up_cuda(common_.device.index);
    return {};
  }

  StageContext make_context(RunCache& shared) {
    StageContext context;
    context.raw = common_.raw;
    context.layers = common_.layers;
    context.decode = decode_options(common_, [this](const std::string& note) {
      const std::lock_guard lock(telling_);
      report_.notes.push_back(note);
    });
    if (!takes_one_input(stages_)) context.inputs = job_.inputs;
    context.run = &shared;
    context.dry_run = common_.dry_run;
    return context;
  }

  std::shared_ptr<const ByteSource> source() const {
    return takes_one_input(stages_) ? ByteSource::open(job_.inputs.front()) : nullptr;
  }

  Plan planned() const {
    return make_plan(decoder_ ? decoder_->spec() : Spec{},
                     std::vector(stages_.begin(), stages_.end() - (sink_ ? 1 : 0)), codec_,
                     common_.type, common_.background.rgb, context_);
  }

  // Large images, as far as their rows are done one after another.
  void keep_rows_near(Image& source, Image& target, bool may_use_card) {
    if (source.spec().pixel_bytes() + target.spec().pixel_bytes() <= keep_near_bytes) return;
    // A card takes no row before its context is there, and must find them decoded by then. It fills
    // its image from one stream; --device both compares it when all is done.
    if (must_use_card()) return;
    if (!may_use_card) keep_near(decoded_, source);
    if (codec_ && !written_.mip) keep_near(computed_, target);
  }

  std::jthread start_decoding(Image& source) {
    return start(decoded_, [this, &source] {
      if (decoder_) decoder_->read(source, decoded_);
      decode_ms_ = clock_.milliseconds();
    });
  }

  std::jthread start_computing(const Image& source, Image& target) {
    if (!computes_) return {};
    return start(computed_, [this, &source, &target] {
      Execution(plan_, common_, report_).run(source, decoded_, target, computed_);
      compute_ms_ = clock_.milliseconds();
    });
  }

  void encode(const Image& result, OutputFile& file) {
    if (written_.mip)
      encode_.next_level = [&](const Image& finer) {
        return next_mip_level(finer, *written_.mip, *codec_, common_.raw,
                              [&](const Plan& level, const Image& from, Image& to) {
                                RowProgress ready, done;
                                ready.finish();
                                RunReport told;
                                Execution(level, common_, told).run(from, ready, to, done);
                                if (!difference_of_levels_) difference_of_levels_ = told.difference;
                              });
      };
    codec_->encode(result, encode_, computes_ ? computed_ : decoded_, file.sink());
  }

  void tell(const Image& result) {
    report_.printed =
        sink_->description->report(sink_->parameters.get(), result,
                                   {job_.name(), common_.json, Queue::cpu(common_.threads),
                                    job_.alone, common_.no_clobber, plan_.chosen});
  }

  void add_time(const char* name, double milliseconds) {
    report_.times.push_back({name, milliseconds, StepClock::wall});
  }

  const std::vector<BoundStage>& stages_;
  const Job& job_;
  const CommonOptions& common_;

  RunReport report_;
  std::mutex telling_;  ///< Guards the report's notes.
  const BoundStage* const sink_ = sink_of(stages_);
  const Codec* const codec_ = sink_ ? nullptr : &codec_for_output(job_.output, common_.format);
  const Clock clock_ = begin();
  const StageContext context_;
  const std::shared_ptr<const ByteSource> source_ = source();
  const std::unique_ptr<Decoder> decoder_ =
      source_ ? open_image(source_, context_.decode) : nullptr;
  const Plan plan_ = planned();
  EncodeOptions encode_{common_.compression, common_.quality, common_.threads};
  const Spec written_ = codec_ ? file_spec(plan_.output(), *codec_) : plan_.output();
  /// Else there is nothing to do: the decoded rows are encoded as they come.
  const bool computes_ = !plan_.steps.empty() || written_ != plan_.input || must_use_card();
  RowProgress decoded_, computed_;
  double decode_ms_ = 0, compute_ms_ = 0;
  std::optional<std::string> difference_of_levels_;
};

}  // namespace

RunReport run_image(const std::vector<BoundStage>& stages, const Job& job,
                    const CommonOptions& common, RunCache& shared) {
  ImageRun run(stages, job, common, shared);
  return common.dry_run ? run.check_only() : run.run();
}

}  // namespace cuimg

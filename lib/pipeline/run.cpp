// SPDX-License-Identifier: Apache-2.0
// One image from file to file: decoding, computing and encoding overlap, each a thread of its own.
#include "pipeline/run.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <memory>
#include <mutex>
#include <thread>

#include "io/codec.h"
#include "pipeline/decode_options.h"
#include "pipeline/execution.h"
#include "pipeline/limits.h"
#include "pipeline/mip_levels.h"
#include "pipeline/plan.h"
#include "pipeline/worth_a_card.h"

namespace cuimg {
namespace {

// A thread that finishes the progress when its work is done, or passes on the work's failure.
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

// Images above this size are not held whole where their rows can be done one after another.
constexpr std::size_t keep_near_bytes = std::size_t{64} << 20;

// Between the thread that makes an image's rows and the one that uses them a quarter of that may
// wait.
void keep_near(RowProgress& progress, Image& image) {
  const int height = std::max(1, image.spec().data_window.height);
  const std::size_t row =
      std::max<std::size_t>(1, image.spec().pixel_bytes() / static_cast<std::size_t>(height));
  progress.keep_near(static_cast<int>(std::min<std::size_t>(keep_near_bytes / 4 / row, INT_MAX)),
                     [&image](int first, int last) { image.forget_rows(first, last); });
}

// When the encoder has ended, even by an exception, no thread waits for it to use more rows.
struct Abandon {
  RowProgress &decoded, &computed;
  ~Abandon() {
    decoded.abandon();
    computed.abandon();
  }
};

// One image's way. The constructor opens the input and plans; nothing is written before run().
class ImageRun {
 public:
  ImageRun(const std::vector<BoundStage>& stages, const Job& job, const CommonOptions& common,
           RunCache& shared)
      : stages_(stages), job_(job), common_(common), context_(make_context(shared)) {
    check_sizes(plan_, common.limit_pixels);
    if (decoder_) check_inflation(plan_, source_->bytes().size(), common.limit_pixels);
    report_.explanation = plan_.explanation;
    if (codec_) encode_ = codec_->resolved(encode_);
  }

  /// --dry-run: finds the errors that can be found without the pixels.
  RunReport check_only() {
    if (codec_) check_output(job_.output, common_.no_clobber, job_.makes_folders);
    return std::move(report_);
  }

  RunReport run() {
    const bool may_use_card = common_.device.kind == DeviceChoice::Kind::automatic &&
                              is_worth_a_card(plan_, common_.threads) && may_have_cuda();
    // A card's context takes longer to make than most images take to decode: do both together.
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
      // An encoder stops at the last row. Wait for failures that come after it: a checksum that is
      // wrong, a file that is cut short.
      decoded_.wait_for(INT32_MAX);
      if (computes_) computed_.wait_for(INT32_MAX);
      if (sink_) report_on(result);
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

  bool takes_one_input() const { return takes_input(stages_) && !reduces(stages_); }

  Clock begin() const {
    if (must_use_card() && !common_.dry_run) warm_up_cuda(common_.device.index);
    return {};
  }

  StageContext make_context(RunCache& shared) {
    StageContext context;
    context.raw = common_.raw;
    context.layers = common_.layers;
    context.decode = decode_options(common_, [this](const std::string& note) {
      const std::lock_guard lock(notes_mutex_);
      report_.notes.push_back(note);
    });
    if (!takes_one_input()) context.inputs = job_.inputs;
    context.run = &shared;
    context.dry_run = common_.dry_run;
    return context;
  }

  std::shared_ptr<const ByteSource> source() const {
    return takes_one_input() ? ByteSource::open(job_.inputs.front()) : nullptr;
  }

  Plan planned() const {
    return make_plan(decoder_ ? decoder_->spec() : Spec{},
                     std::vector(stages_.begin(), stages_.end() - (sink_ ? 1 : 0)), codec_,
                     common_.type, common_.background.rgb, context_);
  }

  // Where an image is large and its rows are worked on in order, only some of them stay in memory.
  void keep_rows_near(Image& source, Image& target, bool may_use_card) {
    if (source.spec().pixel_bytes() + target.spec().pixel_bytes() <= keep_near_bytes) return;
    // A card uploads no row before its context exists, and the decoder should not wait for that.
    // Its result comes by one stream, and --device both compares whole images.
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
      execute_where_asked(plan_, common_, {source, decoded_, target, computed_}, report_);
      compute_ms_ = clock_.milliseconds();
    });
  }

  void encode(const Image& result, OutputFile& file) {
    if (written_.mip)
      encode_.next_level = [&](const Image& finer) {
        RunReport report;
        Image level = next_mip_level(finer, *written_.mip, *codec_, common_, report);
        if (!difference_of_levels_) difference_of_levels_ = report.difference;
        return level;
      };
    codec_->encode(result, encode_, computes_ ? computed_ : decoded_, file.sink());
  }

  void report_on(const Image& result) {
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
  std::mutex notes_mutex_;  ///< Guards the report's notes.
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
  /// Otherwise the decoded rows are encoded as they come.
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

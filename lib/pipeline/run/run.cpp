// SPDX-License-Identifier: Apache-2.0
// One image from file to file, part after part, so that no more than one of them is in memory.
#include "pipeline/run/run.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/mapped_pages.h"
#include "image/scratch.h"
#include "io/codec.h"
#include "pipeline/decode_options.h"
#include "pipeline/run/black_image.h"
#include "pipeline/run/execution.h"
#include "pipeline/run/part_run.h"
#include "pipeline/run/parts.h"

namespace cuimg {
namespace {

// One image's way. The constructor opens the input and plans; nothing is written before run().
class ImageRun {
 public:
  ImageRun(const std::vector<BoundStage>& stages, const Job& job, const CommonOptions& common,
           SharedByImages& shared)
      : stages_(stages),
        job_(job),
        common_(common),
        memory_(shared.memory),
        context_(make_context(shared)) {
    if (source_) {
      open_parts();
    } else {
      parts_.push_back(std::make_unique<PartRun>(file_, nullptr, 0, false));
      parts_.back()->check_limits(0);
    }
    if (!file_.codec) return;
    for (const auto& part : parts_) {
      to_write_.push_back(part->to_write());
      to_write_.back().options = file_.codec->resolved(to_write_.back().options);
    }
    warn_of_shared_windows();
    if (parts_.size() == 1) turned_ = parts_.front()->turned();
  }

  /// --dry-run: finds the errors that can be found without the pixels.
  RunReport check_only() {
    if (file_.codec) check_output(job_.output, common_.no_clobber, job_.makes_folders);
    for (const auto& part : parts_) add(part->take_report());
    return std::move(report_);
  }

  RunReport run() {
    if (turned_) return write_turned();
    const MemoryBudget::Share memory(memory_, std::min(most_memory(), memory_.bytes()));
    std::optional<Scratch> scratch;
    if (passes_memory()) {
      scratch.emplace(scratch_folder(common_), memory_.bytes());
      report_.explanation.push_back("memory: more than " + std::to_string(memory_.bytes() >> 20) +
                                    " MB of pixels, so in tiles; what has no room lies in " +
                                    scratch_folder(common_));
    }
    std::optional<OutputFile> output;
    std::unique_ptr<Encoder> encoder;
    if (file_.codec) {
      // A card's context takes long to make; begin before the file is there.
      if (parts_.front()->may_use_card()) warm_up_cuda(common_.device.index);
      output.emplace(job_.output, common_.no_clobber);
      encoder = file_.codec->encoder(std::move(to_write_), output->sink());
    }
    for (auto& part : parts_) {
      report_.pixels += part->pixels();
      part->run(encoder.get());
      add(part->take_report());
      part.reset();
    }
    if (output) {
      encoder->finish();
      output->mark(job_.mark);
      output->commit();
      report_.times.push_back({"written", file_.clock.milliseconds(), StepClock::wall});
    }
    return std::move(report_);
  }

 private:
  bool takes_one_input() const { return takes_input(stages_) && !reduces(stages_); }

  RunReport write_turned() {
    check_card(common_);
    OutputFile output(job_.output, common_.no_clobber);
    output.sink().write(*turned_);
    output.mark(job_.mark);
    output.commit();
    report_.pixels = parts_.front()->pixels();
    add(parts_.front()->take_report());
    report_.times.push_back({"written", file_.clock.milliseconds(), StepClock::wall});
    return std::move(report_);
  }

  FileRun file_run() const {
    const BoundStage* const sink = sink_of(stages_);
    const Codec* const codec =
        sink != nullptr ? nullptr : &codec_for_output(job_.output, common_.format);
    FileRun file{stages_, job_, common_, context_, sink, codec};
    file.memory_bytes = memory_.bytes();
    file.reopen = [this](int part, int mip_level) { return reopen(part, mip_level); };
    if (file.must_use_card() && !common_.dry_run) warm_up_cuda(common_.device.index);
    return file;
  }

  StageContext make_context(SharedByImages& shared) {
    StageContext context;
    context.raw = common_.raw;
    context.layers = common_.layers;
    context.refuses_nearest_mattes = common_.cryptomatte == MatteChoice::refuse;
    context.decode =
        decode_options(common_, [this](const std::string& note) { add_once(report_.notes, note); });
    if (!takes_one_input()) choose_part_of_inputs(context);
    context.run = &shared.files;
    context.dry_run = common_.dry_run;
    return context;
  }

  // A reducer takes one part of each input.
  void choose_part_of_inputs(StageContext& context) {
    context.inputs = job_.inputs;
    if (common_.part.kind == PartChoice::Kind::all && reduces(stages_))
      throw Error("--part all", "one part of each INPUT is taken", "choose it by number or name");
    if (common_.part.kind == PartChoice::Kind::one)
      context.decode.part = common_.part.id;
    else
      context.warn_of_parts = [this](const std::string& warning) {
        add_once(report_.warnings, warning);
      };
  }

  std::shared_ptr<const ByteSource> source() const {
    return takes_one_input() ? ByteSource::open(job_.inputs.front()) : nullptr;
  }

  void open_parts() {
    file_.input_bytes = source_->bytes().size();
    const std::unique_ptr<ImageFile> parts = open_file(source_, context_.decode);
    const bool one = file_.codec && !file_.codec->writes_parts();
    ChosenParts chosen =
        choose_parts(*parts, common_.part, source_->name(),
                     one ? "written, " + std::string(file_.codec->description) + " holds one" : "");
    if (!chosen.warning.empty()) report_.warnings.push_back(std::move(chosen.warning));
    const bool several = chosen.numbers.size() > 1;
    report_.parts = static_cast<int>(chosen.numbers.size());
    std::uint64_t pixels = 0;
    for (const int number : chosen.numbers) {
      std::unique_ptr<Decoder> decoder = parts->open(number);
      if (job_.black) decoder = black_image(decoder->spec());
      plan_part(std::move(decoder), number, several);
      pixels += parts_.back()->input_pixels();
      check_sum(pixels);
    }
    if (std::all_of(parts_.begin(), parts_.end(),
                    [](const auto& part) { return part->left_out().has_value(); }))
      throw *parts_.front()->left_out();
  }

  void plan_part(std::unique_ptr<Decoder> decoder, int number, bool several) {
    const std::string name = part_text(number, decoder->spec().part_name);
    try {
      parts_.push_back(std::make_unique<PartRun>(file_, std::move(decoder), number, several));
      parts_.back()->check_limits(source_->bytes().size());
    } catch (const Error& error) {
      if (!several) throw;
      throw Error("part " + name, error.what());
    }
  }

  std::unique_ptr<Decoder> reopen(int part, int mip_level) const {
    DecodeOptions options = context_.decode;
    options.notify = {};
    options.mip_level = mip_level;
    std::unique_ptr<Decoder> decoder = open_file(source_, options)->open(part);
    return job_.black ? black_image(decoder->spec()) : std::move(decoder);
  }

  // Parts are run one after another.
  std::uint64_t most_memory() const {
    std::uint64_t bytes = 0;
    for (const auto& part : parts_) bytes = std::max(bytes, part->memory_bytes());
    return bytes;
  }
  bool passes_memory() const {
    return std::any_of(parts_.begin(), parts_.end(), [this](const auto& part) {
      return part->memory_bytes() + part->bytes_under_way() > memory_.bytes();
    });
  }
  // A mapped input's pages count as memory while they lie in it.
  std::unique_ptr<const MappedPagesLimit> limit_pages() const {
    const std::uint64_t most = memory_.bytes() / 8;
    if (!source_ || source_->bytes().size() <= most) return nullptr;
    return std::make_unique<const MappedPagesLimit>(most);
  }

  // Each part may be as large as --limit-pixels; all of them together take time, not memory.
  void check_sum(std::uint64_t pixels) const {
    constexpr std::uint64_t times = 16;
    if (pixels / times > common_.limit_pixels)
      throw Error(source_->name(),
                  "its parts have more than " + std::to_string(times) + " times the limit of " +
                      std::to_string(common_.limit_pixels) + " pixels",
                  "raise it with --limit-pixels if the file is trusted, or choose one with --part");
  }

  void warn_of_shared_windows() {
    if (!file_.codec->capabilities.windows) return;
    const Spec& first = to_write_.front().spec;
    for (const PartToWrite& part : to_write_) {
      if (part.spec.display_window != first.display_window)
        add_once(report_.warnings,
                 "the parts' display windows differ; the file's, which all of them share, is the "
                 "smallest that holds them");
      if (part.spec.pixel_aspect != first.pixel_aspect)
        add_once(report_.warnings,
                 "the parts' pixel aspects differ; the file's is the first part's");
    }
  }

  void add_once(std::vector<std::string>& lines, const std::string& line) {
    const std::lock_guard lock(lines_mutex_);
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }

  void add(RunReport part) {
    const auto append = [](auto& to, auto& from) {
      to.insert(to.end(), std::make_move_iterator(from.begin()),
                std::make_move_iterator(from.end()));
    };
    for (const std::string& warning : part.warnings) add_once(report_.warnings, warning);
    append(report_.explanation, part.explanation);
    append(report_.notes, part.notes);
    append(report_.times, part.times);
    for (const std::string& stage : part.unmeasured) add_once(report_.unmeasured, stage);
    if (report_.fallback.empty()) report_.fallback = std::move(part.fallback);
    if (!report_.difference) report_.difference = std::move(part.difference);
    report_.printed += part.printed;
  }

  const std::vector<BoundStage>& stages_;
  const Job& job_;
  const CommonOptions& common_;
  MemoryBudget& memory_;

  RunReport report_;
  std::mutex lines_mutex_;  ///< Guards the report's notes and warnings.
  const StageContext context_;
  FileRun file_ = file_run();
  const std::shared_ptr<const ByteSource> source_ = source();
  const std::unique_ptr<const MappedPagesLimit> few_pages_ = limit_pages();
  std::vector<std::unique_ptr<PartRun>> parts_;
  std::vector<PartToWrite> to_write_;
  std::optional<std::vector<std::byte>> turned_;  ///< The whole output.
};

}  // namespace

RunReport run_image(const std::vector<BoundStage>& stages, const Job& job,
                    const CommonOptions& common, SharedByImages& shared) {
  ImageRun run(stages, job, common, shared);
  return common.dry_run ? run.check_only() : run.run();
}

}  // namespace cuimg

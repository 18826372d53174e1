// SPDX-License-Identifier: Apache-2.0
// Processes one image from file to file, part after part, so that only one of them is in memory.
#include "pipeline/run/run.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "base/error.h"
#include "base/mapped_pages.h"
#include "device/frame.h"
#include "image/pixel_reuse.h"
#include "image/scratch.h"
#include "io/black_image.h"
#include "io/codec.h"
#include "io/output_file.h"
#include "pipeline/decode_options.h"
#include "pipeline/part_limits.h"
#include "pipeline/pixel_memory.h"
#include "pipeline/run/execution.h"
#include "pipeline/run/part_run.h"
#include "pipeline/run/parts.h"
#include "pipeline/run/shared_parts.h"
#include "pipeline/run/written_file.h"

namespace cuimg {
namespace {

// Memory that a thread keeps for the frames of its next image is not part of any image's share.
class FreeSpareFrames {
 public:
  explicit FreeSpareFrames(bool memory_is_limited) : memory_is_limited_(memory_is_limited) {}
  ~FreeSpareFrames() {
    if (memory_is_limited_) free_spare_frames();
  }
  FreeSpareFrames(const FreeSpareFrames&) = delete;

 private:
  const bool memory_is_limited_;
};

// The processing of one image. The constructor opens the input and plans; nothing is written before
// run().
class ImageRun {
 public:
  ImageRun(const Invocation& invocation, const Job& job, SharedByImages& shared)
      : invocation_(invocation),
        job_(job),
        common_(invocation.common),
        memory_(shared.memory),
        card_(shared.card),
        cards_(shared.cards),
        places_(shared.places),
        trace_{shared.trace, job.name()},
        own_files_(shared.files, own_files(job)),
        context_(make_context(shared)),
        shared_parts_(job.part && takes_one_input()
                          ? shared.parts.open(job.inputs.front(), common_, memory_.bytes())
                          : nullptr),
        files_(file_.outputs.size()) {
    if (source_) {
      open_parts();
    } else {
      parts_.push_back(std::make_unique<PartRun>(file_, nullptr, PartTaken{}));
      parts_.back()->check_limits(0);
    }
    for (std::size_t i = 0; i < files_.size(); ++i) collect_parts(i);
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (parts_.size() == 1) files_[i].turned = parts_.front()->turned(i);
      for (const auto& part : parts_)
        if (OutputRun* const written = files_[i].turned ? nullptr : part->output(i))
          written->tell_of_recompression();
    }
    if (common_.in_place)
      for (const auto& part : parts_) part->check_keeps_all(source_->name());
    if (is_turned()) report_.take_back(parts_.front()->notes_of_read());
    report_.add_time(open_name, clock_.milliseconds(), StepClock::wall);
  }

  /// --dry-run: finds the errors that can be found without the pixels.
  RunReport check_only() {
    for (const ChainOutput& output : file_.outputs)
      if (output.codec)
        check_output(output.job.output, output.common.no_clobber, output.job.makes_folders);
    explain_scratch();
    for (const auto& part : parts_) report_.add(part->take_report());
    return std::move(report_);
  }

  RunReport run() {
    if (is_turned()) return write_turned();
    const Clock waiting;
    const std::uint64_t most = most_memory() + own_files_.own_bytes();
    const MemoryBudget::Share memory(memory_, std::min(most, memory_.bytes()));
    report_.add_time(memory_wait_name, waiting.milliseconds(), StepClock::waiting);
    const FreeSpareFrames no_frames_stay(common_.max_memory.has_value());
    std::optional<Scratch> scratch;
    if (explain_scratch()) scratch.emplace(report_.scratch, memory_.bytes());
    // Creating a card's context takes long, so it begins before the file is available.
    if (parts_.front()->may_use_card()) {
      card_.begin_card();
      warm_up_cuda(common_.device.first_card());
    }
    std::vector<Encoder*> encoders;
    for (std::size_t i = 0; i < files_.size(); ++i)
      encoders.push_back(files_[i].open(file_.outputs[i]));
    if (source_)
      source_->read_whole([&] { run_parts(encoders); });
    else
      run_parts(encoders);
    if (file_.outputs.size() > 1 || file_.outputs.front().codec != nullptr) write_files();
    return finished();
  }

 private:
  void run_parts(std::span<Encoder* const> encoders) {
    std::uint64_t before = parts_.front()->memory_bytes();
    for (auto& part : parts_) {
      // A large part cannot use a smaller one's memory, which must not stay reserved meanwhile.
      if (part->memory_bytes() != before) PixelReuse::free_kept();
      before = part->memory_bytes();
      report_.pixels += part->pixels();
      part->run(encoders);
      report_.add(part->take_report());
      part.reset();
    }
  }

  // Whether no pixel is decoded.
  bool is_turned() const {
    return std::ranges::all_of(files_, [](const auto& file) { return file.turned.has_value(); });
  }

  static RunCache::OwnFiles own_files(const Job& job) {
    RunCache::OwnFiles files;
    for (const StageFile& file : job.stage_files)
      if (file.is_own) files.emplace(file.path, file.black_form);
    return files;
  }

  bool takes_one_input() const {
    return takes_input(invocation_.stages) && !reduces(invocation_.stages);
  }

  // Collects the content of each part for an output's file.
  void collect_parts(std::size_t output) {
    const Codec* const codec = file_.outputs[output].codec;
    if (codec == nullptr) return;
    std::vector<PartToWrite>& parts = files_[output].parts;
    for (const auto& part : parts_) {
      OutputRun* const written = part->output(output);
      if (written == nullptr) continue;
      parts.push_back(written->to_write());
      parts.back().options = codec->resolved(parts.back().options);
    }
    if (codec->capabilities.layers && leave_out_unused_mattes(parts))
      add_once(report_.notes, unused_mattes_note);
    if (!codec->capabilities.windows) return;
    for (const std::string& warning : warnings_of_shared_windows(parts))
      add_once(report_.warnings, warning);
  }

  void write_files() {
    const TraceSpan span(trace_, "images", write_name);
    const Clock clock;
    put_in_place(files_, places_);
    report_.add_time(write_name, clock.milliseconds(), StepClock::wall);
  }

  RunReport write_turned() {
    check_card(common_);
    for (std::size_t i = 0; i < files_.size(); ++i) files_[i].open(file_.outputs[i]);
    source_->check_complete();
    write_files();
    report_.pixels = parts_.front()->pixels();
    report_.add(parts_.front()->take_report());
    return finished();
  }

  RunReport finished() {
    report_.milliseconds = clock_.milliseconds();
    return std::move(report_);
  }

  FileRun file_run() const {
    FileRun file{invocation_, job_, common_,
                 context_,    {},   {common_, card_, cards_, trace_, &own_files_}};
    for (std::size_t i = 0; i < invocation_.tees.size(); ++i) {
      const Tee& tee = invocation_.tees[i];
      const Job& job = job_.tees[i];
      file.outputs.push_back(
          {tee.stages, job, tee.common, &codec_for_output(job.output, tee.common.format)});
    }
    const BoundStage* const sink = sink_of(invocation_.stages);
    const std::size_t stages = invocation_.stages.size() - (sink != nullptr ? 1 : 0);
    const Codec* const codec =
        sink != nullptr ? nullptr : &codec_for_output(job_.output, common_.format);
    file.outputs.push_back({stages, job_, common_, codec, sink});
    file.memory_bytes = memory_.bytes();
    file.reopen = [this](int part) { return reopen(part); };
    if (file.must_use_card() && !common_.dry_run) warm_up_cuda(common_.device.first_card());
    return file;
  }

  StageContext make_context(SharedByImages& shared) {
    StageContext context;
    context.raw = common_.raw;
    context.image = job_.image;
    context.layers = common_.layers;
    context.refuses_nearest_mattes = common_.cryptomatte == MatteChoice::refuse;
    // The report adds the image's name itself.
    const auto to = [this, own = job_.name() + ": "](std::vector<std::string>& lines) {
      return [this, &lines, own](const std::string& line) {
        add_once(lines, line.starts_with(own) ? line.substr(own.size()) : line);
      };
    };
    context.decode = decode_options(common_, to(report_.notes));
    context.decode.warn = to(report_.warnings);
    if (!takes_one_input()) choose_part_of_inputs(context);
    context.run = job_.stage_files.empty() ? &shared.files : &own_files_;
    context.dry_run = common_.dry_run;
    return context;
  }

  // A reducer takes one part of each input.
  void choose_part_of_inputs(StageContext& context) {
    context.inputs = job_.inputs;
    if (common_.part.kind == PartChoice::Kind::all && reduces(invocation_.stages))
      throw Error("--part all", "only one part of each INPUT can be used",
                  "choose it by number or name");
    if (common_.part.kind == PartChoice::Kind::one)
      context.decode.part = common_.part.id;
    else
      context.warn_of_parts = context.decode.warn;
  }

  std::shared_ptr<const ByteSource> source() const {
    if (shared_parts_) return shared_parts_->source();
    return takes_one_input() ? ByteSource::open(job_.inputs.front(), common_.scratch) : nullptr;
  }
  std::shared_ptr<ImageFile> open_input(const DecodeOptions& options) const {
    if (shared_parts_) return {shared_parts_, &shared_parts_->open(options)};
    return open_file(source_, options);
  }

  DecodeOptions input_options() const {
    DecodeOptions options = context_.decode;
    options.replaces_file = common_.in_place;
    return options;
  }

  void open_parts() {
    file_.input_bytes = source_->bytes().size();
    const std::shared_ptr<ImageFile> parts = open_input(input_options());
    if (common_.in_place) {
      check_replaces_own_format(*source_, *file_.outputs.back().codec);
      check_replaces_all_parts(*parts, common_.part, source_->name());
      if (const std::string note = note_on_hard_links(job_.output); !note.empty())
        add_once(report_.notes, note);
    }
    const std::vector<PartTaken> taken =
        parts_taken(*parts, common_, file_.outputs, source_->name(),
                    [this](const std::string& line) { add_once(report_.warnings, line); });
    for (const PartTaken& part : taken)
      if (!part.is_left_alone) open_part(part, *parts);
    if (std::ranges::all_of(parts_, [](const auto& part) { return part->left_out().has_value(); }))
      throw *parts_.front()->left_out();
    for (const PartTaken& part : taken)
      if (part.is_left_alone) leave_alone(part, *parts);
    std::ranges::sort(parts_, {}, [](const auto& part) { return part->number(); });
    report_.parts = static_cast<int>(parts_.size());
  }

  void open_part(const PartTaken& part, ImageFile& file) {
    std::unique_ptr<Decoder> decoder = file.open(part.number);
    if (const std::string rest = decoder->left_out(); !rest.empty())
      add_once(report_.warnings, rest);
    check_replaces_whole_part(*decoder, common_, source_->name());
    if (common_.in_place)
      check_replaces_own_variant(decoder->spec(), *file_.outputs.back().codec, source_->name());
    if (job_.black) decoder = std::make_unique<BlackImage>(std::move(decoder));
    plan_part(std::move(decoder), part, file);
    input_pixels_ += parts_.back()->input_pixels();
    check_pixels_of_parts(input_pixels_, *source_, common_.limit_pixels);
  }

  // A part with no layer named in --layers is not changed. But an output without a stage before it
  // only contains named layers, and a picture of another size has no place for such a part.
  void leave_alone(PartTaken part, ImageFile& file) {
    for (std::size_t i = 0; i < file_.outputs.size(); ++i)
      part.outputs[i] =
          part.outputs[i] && file_.outputs[i].codec != nullptr && file_.outputs[i].stages > 0 &&
          std::ranges::all_of(parts_, [&](const auto& other) { return other->keeps_frame(i); });
    if (std::ranges::find(part.outputs, true) != part.outputs.end()) return open_part(part, file);
    const std::string name = "part " + part_text(part.number, file.summary(part.number).name);
    if (common_.in_place)
      throw Error(source_->name(), "--in-place with --layers would delete " + name,
                  "leave out --layers to change all layers, or write to another file");
    report_.explanation.push_back(name + ": left out: --layers names layers of other parts");
  }

  void plan_part(std::unique_ptr<Decoder> decoder, const PartTaken& part, const ImageFile& file) {
    const std::string name = part_text(part.number, decoder->spec().part_name);
    try {
      parts_.push_back(std::make_unique<PartRun>(file_, std::move(decoder), part));
      parts_.back()->check_limits(source_->bytes().size());
    } catch (const Error& error) {
      refuse_parts_as_layers(error, file);
      if (!part.is_one_of_several) throw;
      throw Error("part " + name, error.what());
    }
  }

  std::unique_ptr<Decoder> reopen(int part) const {
    DecodeOptions options = input_options();
    options.notify = options.warn = {};
    std::unique_ptr<Decoder> decoder = open_input(options)->open(part);
    if (job_.black) decoder = std::make_unique<BlackImage>(std::move(decoder));
    return decoder;
  }

  // Parts run one after another. A mapped input's pages are also in memory, and threads, codecs and
  // their buffers take a few megabytes.
  std::uint64_t most_memory() const {
    constexpr std::uint64_t besides_pixels = std::uint64_t{8} << 20;
    std::uint64_t bytes = 0;
    for (const auto& part : parts_)
      bytes = std::max(bytes, part->memory_bytes() + part->bytes_under_way());
    return bytes + besides_pixels + (source_ ? source_->bytes().size() : 0);
  }
  // Images that all runs share, and those that a stage reads itself, also take memory.
  bool passes_memory() const {
    return most_memory() + context_.run->held_bytes() > memory_.bytes();
  }
  // @returns whether memory has no room for all pixels.
  bool explain_scratch() {
    if (!passes_memory()) return false;
    report_.scratch = scratch_folder(common_);
    if (!file_.must_use_card())
      report_.explanation.push_back(
          "memory: it takes more than " + std::to_string(memory_.bytes() >> 20) +
          " MB, so the image is made in tiles; what does not fit lies in " + report_.scratch);
    return true;
  }
  // A mapped input's pages count as memory while they are resident.
  std::unique_ptr<const MappedPagesLimit> limit_pages() const {
    const std::uint64_t most = memory_.bytes() / 8;
    if (!source_ || source_->bytes().size() <= most) return nullptr;
    return std::make_unique<const MappedPagesLimit>(most);
  }

  void add_once(std::vector<std::string>& lines, const std::string& line) {
    const std::lock_guard lock(lines_mutex_);
    cuimg::add_once(lines, line);
  }

  const Invocation& invocation_;
  const Job& job_;
  const CommonOptions& common_;
  MemoryBudget& memory_;
  CardChoice& card_;
  CardShares& cards_;
  WorkPlaces* const places_;

  const ImageTrace trace_;
  const Clock clock_;
  RunReport report_;
  std::mutex lines_mutex_;  ///< Guards the report's notes and warnings.
  RunCache own_files_;      ///< For this image alone: a frame's second images.
  const StageContext context_;
  FileRun file_ = file_run();
  const std::shared_ptr<const SharedParts> shared_parts_;  ///< May be null.
  const std::shared_ptr<const ByteSource> source_ = source();
  const std::unique_ptr<const MappedPagesLimit> few_pages_ = limit_pages();
  std::vector<std::unique_ptr<PartRun>> parts_;
  std::uint64_t input_pixels_ = 0;  ///< Of the parts.
  std::vector<WrittenFile> files_;  ///< One for each of the chain's outputs.
};

}  // namespace

std::vector<const Job*> outputs_of(const Job& job) {
  std::vector<const Job*> outputs;
  if (!job.output.empty()) outputs.push_back(&job);
  for (const Job& tee : job.tees) outputs.push_back(&tee);
  return outputs;
}

RunReport run_image(const Invocation& invocation, const Job& job, SharedByImages& shared) {
  const ImageTrace trace{shared.trace, job.name()};
  const TraceSpan span(trace, "images", trace.image);
  shared.card.begin_image();
  ImageRun run(invocation, job, shared);
  return invocation.common.dry_run ? run.check_only() : run.run();
}

}  // namespace cuimg

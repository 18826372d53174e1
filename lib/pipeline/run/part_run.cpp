// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/part_run.h"

#include <algorithm>
#include <climits>

#include "image/scratch.h"
#include "io/tags/orientation.h"
#include "pipeline/layers.h"
#include "pipeline/output_metadata.h"
#include "pipeline/run/execution.h"
#include "pipeline/run/limits.h"
#include "pipeline/run/measured.h"
#include "pipeline/run/mip_levels.h"
#include "pipeline/run/worth_a_card.h"

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

bool lists(const std::vector<std::string_view>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool same_but_metadata(Spec a, const Spec& b) {
  a.metadata = b.metadata;
  return a == b;
}

}  // namespace

std::string scratch_folder(const CommonOptions& common) {
  return common.scratch.empty() ? default_scratch_folder() : common.scratch;
}

bool FileRun::must_use_card() const {
  const DeviceChoice::Kind kind = common.device.kind;
  return kind == DeviceChoice::Kind::cuda || kind == DeviceChoice::Kind::both;
}

PartRun::PartRun(const FileRun& file, std::unique_ptr<Decoder> decoder, int number,
                 bool is_one_of_several)
    : file_(file),
      decoder_(std::move(decoder)),
      number_(number),
      part_(is_one_of_several ? std::optional(number) : std::nullopt),
      plan_(planned()),
      written_(written_spec()),
      computes_(!plan_.steps.empty() || !same_but_metadata(written_, plan_.input) ||
                file.must_use_card()) {
  report_.explanation = plan_.explanation;
  report_.unmeasured = unmeasured_stages(stages_);
  report_.warnings.insert(report_.warnings.begin(), plan_.warnings.begin(), plan_.warnings.end());
}

// The measuring passes decode by themselves, so that the rows of the run may still be few.
std::vector<BoundStage> PartRun::measured(const std::vector<BoundStage>& stages) const {
  const CommonOptions& common = file_.common;
  if (common.dry_run || !has_unmeasured(stages)) return stages;
  const Spec input = decoder_ ? decoder_->spec() : Spec{};
  const auto read = [&] {
    const auto image = std::make_shared<Image>(input);
    RowProgress progress;
    if (decoder_) file_.reopen(number_, common.mip_level)->read(*image, progress);
    return image;
  };
  std::optional<Scratch> scratch;
  const auto check = [&](const Plan& plan, const std::string& stage) {
    check_sizes(plan, common.limit_pixels);
    if (!scratch && bytes_on_cpu(plan) > file_.memory_bytes)
      scratch.emplace(scratch_folder(common), file_.memory_bytes);
    if (!decoder_) return;
    // The passes hold the input whole, whatever its stages need.
    check_inflation(stage, input, file_.input_bytes, common.limit_pixels);
    check_inflation(plan, file_.input_bytes, common.limit_pixels);
  };
  return cuimg::measured(stages, input, file_.context,
                         {read, check, common.background.rgb, common.threads});
}

Plan PartRun::planned() {
  std::vector<BoundStage> given(file_.stages.begin(),
                                file_.stages.end() - (file_.sink != nullptr ? 1 : 0));
  std::vector<std::string> decisions;
  for (;;) {
    stages_ = given;
    try {
      stages_ = measured(given);
      Plan plan = make_plan(decoder_ ? decoder_->spec() : Spec{}, stages_, file_.codec,
                            file_.common.type, file_.common.background.rgb, file_.context);
      plan.explanation.insert(plan.explanation.begin(), decisions.begin(), decisions.end());
      return plan;
    } catch (const NoLayer& error) {
      // Measuring has changed parameters, and no stage's place.
      const auto without = std::find_if(
          stages_.begin(), stages_.end(),
          [&](const BoundStage& stage) { return stage.parameters == error.stage.parameters; });
      if (!part_ || without == stages_.end()) throw;
      left_out_ = error;
      decisions.push_back(without->description->name + ": the part has no layer for it");
      given.erase(given.begin() + (without - stages_.begin()));
    }
  }
}

std::uint64_t PartRun::input_pixels() const {
  return static_cast<std::uint64_t>(plan_.input.data_window.pixels());
}

std::uint64_t PartRun::pixels() const {
  const Spec& counted = decoder_ ? plan_.input : plan_.output();
  return static_cast<std::uint64_t>(counted.data_window.pixels());
}

std::uint64_t PartRun::memory_bytes() const {
  const std::uint64_t source = plan_.input.pixel_bytes(),
                      target = computes_ ? written_.pixel_bytes() : 0;
  if (file_.must_use_card() || may_use_card()) return source + target;
  if (source + target <= keep_near_bytes) return source + target + bytes_between(plan_);
  const std::uint64_t bytes =
      std::min<std::uint64_t>(source, keep_near_bytes + source_bytes_held(plan_)) +
      (file_.codec != nullptr && !written_.mip ? std::min<std::uint64_t>(target, keep_near_bytes)
                                               : target);
  return bytes + bytes_between(plan_);
}

std::uint64_t PartRun::bytes_under_way() const {
  return computes_ && !file_.must_use_card() ? bytes_of_bands(plan_, file_.common.threads) : 0;
}

void PartRun::check_limits(std::size_t file_bytes) const {
  check_sizes(plan_, file_.common.limit_pixels);
  if (decoder_) check_inflation(plan_, file_bytes, file_.common.limit_pixels);
}

// --metadata and --set.
Spec PartRun::written_spec() {
  if (file_.codec == nullptr) return plan_.output();
  Spec spec = file_spec(plan_.output(), *file_.codec);
  spec.metadata = kept_metadata(spec.metadata, file_.common.metadata, report_.warnings);
  spec.metadata = changed_metadata(spec.metadata, file_.common.set, *file_.codec);
  return spec;
}

PartToWrite PartRun::to_write() {
  EncodeOptions options{file_.common.compression, file_.common.quality, file_.common.threads};
  keep_storage(options);
  note_lost_metadata();
  if (written_.mip)
    options.next_level = [this](const Image& finer) { return next_made_level(finer); };
  else if (keeps_levels())
    options.next_level = [this](const Image&) { return next_kept_level(); };
  return {written_, options};
}

void PartRun::keep_storage(EncodeOptions& options) {
  const FileStorage& storage = written_.storage;
  if (written_.mip || storage.format != file_.codec->name || storage.compression.empty()) return;
  std::vector<std::string>& lines = report_.explanation;
  const bool holds_mattes = std::any_of(written_.layers.begin(), written_.layers.end(),
                                        [](const LayerSpec& layer) { return layer.is_matte; });
  const bool changes_ids =
      holds_mattes && lists(file_.codec->capabilities.rounding, storage.compression);
  if (options.compression.empty() && !changes_ids &&
      lists(file_.codec->compressions, storage.compression)) {
    options.compression = storage.compression;
    lines.push_back("output: compression " + storage.compression + ", as the input");
  }
  if (storage.is_tiled())
    lines.push_back("output: tiles of " + std::to_string(storage.tile_width) + "x" +
                    std::to_string(storage.tile_height) + ", as the input");
  if (storage.levels > 1)
    lines.push_back(keeps_levels() ? "output: mip levels, as the input's"
                                   : "output: mip levels are left out; mip makes new ones");
}

bool PartRun::keeps_levels() const {
  return file_.stages.empty() && !written_.mip && written_.storage.levels > 1 &&
         written_.storage.format == file_.codec->name;
}

void PartRun::note_lost_metadata() {
  std::string lost;
  const auto keeps = file_.codec->capabilities.keeps;
  for (const auto& [key, value] : written_.metadata)
    if (keeps == nullptr || !keeps(key, value)) lost += (lost.empty() ? "" : ", ") + key;
  if (!lost.empty())
    report_.notes.push_back(std::string(file_.codec->description) + " cannot hold " + lost);
}

// Turns alone, and no option that asks for other pixels or another compression.
std::optional<std::vector<std::byte>> PartRun::turned() {
  const CommonOptions& common = file_.common;
  const bool are_turns =
      std::all_of(file_.stages.begin(), file_.stages.end(),
                  [](const BoundStage& stage) { return stage.description->turn != 0; });
  const bool as_it_is =
      !common.type && common.compression.empty() && !common.quality && common.layers.empty();
  if (!decoder_ || file_.codec == nullptr || file_.stages.empty() || !are_turns || !as_it_is ||
      file_.job.black || written_.storage.format != file_.codec->name)
    return std::nullopt;
  Orientation turn;
  for (const BoundStage& stage : file_.stages) turn = both(turn, {stage.description->turn});
  auto bytes = decoder_->turned(turn.exif, written_);
  if (bytes) report_.explanation.emplace_back("output: the file's blocks are turned, without loss");
  return bytes;
}

bool PartRun::may_use_card() const {
  return file_.common.device.kind == DeviceChoice::Kind::automatic &&
         is_worth_a_card(plan_, file_.common.threads) && may_have_cuda();
}

void PartRun::run(Encoder* output) {
  const bool card = may_use_card();
  // A card's context takes longer to make than most images take to decode: do both together.
  if (card) warm_up_cuda(file_.common.device.index);
  const RowOrder near = rows_near(card);
  Image source(plan_.input, near.source ? Held::some_rows : Held::whole);
  Image target(computes_ ? written_ : Spec{}, near.output ? Held::some_rows : Held::whole);
  if (!computes_) source.editable_spec() = written_;
  if (near.source) keep_near(decoded_, source);
  if (near.output) keep_near(computed_, target);
  {
    const std::jthread decoding = start_decoding(source);
    const std::jthread computing = start_computing(source, target);
    const Abandon abandon{decoded_, computed_};
    const Image& result = computes_ ? target : source;
    if (output != nullptr) output->write(result, computes_ ? computed_ : decoded_);
    // An encoder stops at the last row. Wait for failures that come after it: a checksum that is
    // wrong, a file that is cut short.
    decoded_.wait_for(INT32_MAX);
    if (computes_) computed_.wait_for(INT32_MAX);
    if (file_.sink != nullptr) report_on(result);
  }
  if (!report_.difference) report_.difference = difference_of_levels_;
  if (decoder_) add_time("decoded", decode_ms_);
  if (computes_) add_time("computed", compute_ms_);
  add_time(file_.sink != nullptr ? "reported" : "encoded", file_.clock.milliseconds());
}

// Where an image is large and its rows are worked on in order, only some of them stay in memory. On
// a card that must be used the result comes by one stream, and --device both compares whole images.
bool PartRun::is_large() const {
  return plan_.input.pixel_bytes() + (computes_ ? written_.pixel_bytes() : 0) > keep_near_bytes &&
         !file_.must_use_card();
}

RowOrder PartRun::rows_near(bool may_use_card) const {
  if (!is_large()) return {false, false};
  // A card uploads no row before its context exists, and the decoder should not wait for that.
  const RowOrder possible{!may_use_card, file_.codec != nullptr && !written_.mip};
  const auto memory_bytes = Scratch::memory_bytes();
  if (!memory_bytes || !computes_) return possible;
  const RowOrder order = row_order(plan_, *memory_bytes, file_.common.threads);
  return {possible.source && order.source, possible.output && order.output};
}

std::jthread PartRun::start_decoding(Image& source) {
  return start(decoded_, [this, &source] {
    if (decoder_) decoder_->read(source, decoded_);
    decode_ms_ = file_.clock.milliseconds();
  });
}

std::jthread PartRun::start_computing(const Image& source, Image& target) {
  if (!computes_) return {};
  return start(computed_, [this, &source, &target] {
    execute_where_asked(plan_, file_.common, {source, decoded_, target, computed_}, report_);
    compute_ms_ = file_.clock.milliseconds();
  });
}

// A level of the input, made what the whole is made.
Image PartRun::next_kept_level() {
  const std::unique_ptr<Decoder> decoder = file_.reopen(number_, ++level_);
  const Plan plan = make_plan(decoder->spec(), {}, file_.codec, file_.common.type,
                              file_.common.background.rgb, file_.context);
  Image level(decoder->spec());
  RowProgress ready, done;
  decoder->read(level, ready);
  ready.finish();
  if (plan.steps.empty()) return level;
  Image converted(plan.output());
  RunReport report;
  execute_where_asked(plan, file_.common, {level, ready, converted, done}, report);
  if (!difference_of_levels_) difference_of_levels_ = report.difference;
  return converted;
}

Image PartRun::next_made_level(const Image& finer) {
  RunReport report;
  Image level = next_mip_level(finer, *written_.mip, *file_.codec, file_.common, report);
  if (!difference_of_levels_) difference_of_levels_ = report.difference;
  return level;
}

void PartRun::report_on(const Image& result) {
  const ReportContext context{file_.job.name(),  part_,
                              file_.common.json, Queue::cpu(file_.common.threads),
                              file_.job.alone,   file_.common.no_clobber,
                              plan_.chosen};
  report_.printed = file_.sink->description->report(file_.sink->parameters.get(), result, context);
}

void PartRun::add_time(const char* name, double milliseconds) {
  report_.times.push_back({name, milliseconds, StepClock::wall});
}

RunReport PartRun::take_report() {
  if (part_) {
    const std::string name = "part " + part_text(*part_, plan_.input.part_name) + ": ";
    for (std::string& line : report_.explanation) line.insert(0, name);
    for (StepTime& time : report_.times) time.step.insert(0, name);
    if (report_.difference) report_.difference->insert(0, name);
  }
  return std::move(report_);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/output_run.h"

#include <algorithm>
#include <cstdint>

#include "base/contains.h"
#include "base/message_text.h"
#include "io/flat_image.h"
#include "io/tags/exif.h"
#include "io/tags/xmp.h"
#include "pipeline/layers.h"
#include "pipeline/output_metadata.h"
#include "pipeline/run/execution.h"
#include "pipeline/run/halved_levels.h"
#include "pipeline/run/near_rows.h"
#include "pipeline/run/parts.h"
#include "pipeline/run/turned_file.h"

namespace cuimg {
namespace {

// If pixels are not square, the vertical density differs from the horizontal one.
bool holds_both_densities(const Codec& codec, const Spec& spec) {
  const auto& range = codec.capabilities.densities;
  const double across = metadata_number(spec.metadata, "xDensity").value_or(0);
  return !range || range->holds(across * static_cast<double>(spec.pixel_aspect));
}

// Reports the metadata that an output's format cannot hold: adds a note with its names, and a
// warning if XMP is among it because it is too large.
// @param written the output with its metadata.
void note_lost_entries(const Codec& codec, const Spec& written, RunReport& report) {
  std::string lost;
  const auto lose = [&](const std::string& what) { add_item(lost, what); };
  const Capabilities& can = codec.capabilities;
  bool keeps_exif = false;
  for (const auto& [key, value] : written.metadata) {
    const bool is_kept = can.keeps != nullptr && can.keeps(key, value);
    const auto* const xmp = key == xmp_key ? std::get_if<Blob>(&value) : nullptr;
    // It may contain the copyright, and the format holds smaller ones.
    if (xmp != nullptr && !is_kept && can.keeps != nullptr && can.keeps(key, Blob(1))) {
      report.warnings.push_back(std::string(codec.description) + " cannot hold XMP of " +
                                counted(static_cast<std::int64_t>(xmp->size()), "byte") +
                                "; it is left out");
      continue;
    }
    if (!is_kept || (key == "xDensity" && !holds_both_densities(codec, written))) lose(key);
    keeps_exif = keeps_exif || (is_kept && key == exif_key);
  }
  if (can.loses != nullptr) {
    constexpr std::size_t most_named = 20;  // of the thousands that a malicious file may have
    const std::vector<std::string> parts = can.loses(written);
    for (std::size_t i = 0; i < std::min(parts.size(), most_named); ++i) lose(parts[i]);
    if (parts.size() > most_named) lose(std::to_string(parts.size() - most_named) + " more");
  }
  if (keeps_exif && !can.exif_thumbnail && has_exif_thumbnail(written.metadata))
    lose("the thumbnail of exif");
  if (written.storage.preview_side > 0 && !can.preview) lose("the preview");
  if (written.pixel_aspect != 1 && !can.pixel_aspect) lose("the pixels' aspect");
  if (!lost.empty())
    report.notes.push_back(std::string(codec.description) + " cannot hold " + lost);
}

bool same_but_metadata(Spec a, const Spec& b) {
  a.metadata = b.metadata;
  return a == b;
}

}  // namespace

OutputRun::OutputRun(const FileRun& file, const ChainOutput& output, PartTaken part,
                     const Decoder* input, const PlanState& start,
                     const std::vector<BoundStage>& stages, bool shares_source)
    : file_(file),
      output_(output),
      common_(output.common),
      part_(part),
      input_(input),
      has_stages_(!file.invocation.stages.empty()),
      plan_(planned(start, stages)),
      written_(written_spec()),
      // An image that others also read cannot be given another spec.
      computes_(!plan_.steps.empty() || !same_but_metadata(written_, plan_.input) ||
                file.must_use_card() || shares_source) {
  if (output.job.keeps_extension)
    check_kept_extension(output.job.output, start.image.storage.format);
  if (common_.in_place) {
    check_keeps_other_layers(start.image, common_.layers, written_, output.job.output);
    check_keeps_levels();
  }
  report_.explanation = plan_.explanation;
  report_.warnings.insert(report_.warnings.begin(), plan_.warnings.begin(), plan_.warnings.end());
  report_.notes.insert(report_.notes.begin(), plan_.notes.begin(), plan_.notes.end());
  note_smaller_type();
}

Plan OutputRun::planned(const PlanState& start, const std::vector<BoundStage>& stages) const {
  const StageContext context = file_.context_of(part_);
  Plan plan =
      make_plan(start, stages, output_.codec, common_.type, common_.background.rgb, context);
  if (output_.sink != nullptr) end_as_in_file(plan, common_.background.rgb, context);
  choose_device(plan, file_.execution);
  return plan;
}

std::uint64_t OutputRun::memory_bytes(bool keeps_near) const {
  std::uint64_t bytes = computes_ ? written_.pixel_bytes() : 0;
  // The same number of coefficients with 16 bits each replaces the pixels.
  if (output_.codec != nullptr && output_.codec->block_layout != nullptr &&
      file_.execution.card.has_several_images() && (file_.must_use_card() || plan_.takes_card))
    bytes *= 2;
  if (keeps_near && can_keep_near()) bytes = std::min<std::uint64_t>(bytes, keep_near_bytes);
  return bytes + encoder_bytes();
}

std::uint64_t OutputRun::encoder_bytes() const {
  const Codec* const codec = output_.codec;
  if (codec == nullptr || codec->held_bytes == nullptr) return 0;
  return codec->held_bytes(written_, codec->resolved({common_.compression, common_.quality}));
}

PartToWrite OutputRun::to_write() {
  EncodeOptions options{common_.compression, common_.quality, common_.threads};
  keep_storage(options);
  note_lost_entries(*output_.codec, written_, report_);
  if (written_.mip)
    options.next_level = [this](LevelId, const Image& finer) { return next_made_level(finer); };
  else if (keeps_levels())
    options.next_level = [this](LevelId level, const Image&) { return kept_level(level); };
  return {written_, options};
}

void OutputRun::keep_storage(EncodeOptions& options) {
  const FileStorage& storage = written_.storage;
  if (storage.format != output_.codec->name || storage.compression.empty()) return;
  std::vector<std::string>& lines = report_.explanation;
  const bool is_given = !options.compression.empty();
  if (!is_given) options.compression = output_.codec->kept_compression(written_);
  if (!is_given && !options.compression.empty())
    lines.push_back("output: compression " + storage.compression + ", as the input");
  if (options.compression.empty() && contains(output_.codec->compressions, storage.compression)) {
    const std::string why = "the input's compression " + storage.compression +
                            " is not kept: it would change Cryptomatte's ids";
    lines.push_back("output: " + why);
    report_.notes.push_back(why);
  }
  if (written_.mip) return;  // without it the file is stored differently
  if (storage.is_tiled())
    lines.push_back("output: tiles of " + size_text(storage.tile_width, storage.tile_height) +
                    ", as the input");
  for (const LayerSpec& layer : written_.layers)
    if (const std::string halves = halves_of(storage, layer); !halves.empty())
      lines.push_back("output: " + halves + " as half, as the input");
  if (storage.levels > 1)
    lines.push_back(keeps_levels()
                        ? "output: mip levels, as the input's"
                        : "output: mip levels are left out; the stage mip makes new ones");
  if (storage.is_rip_map())
    lines.push_back(keeps_levels() ? "output: rip levels, as the input's"
                                   : "output: rip levels are left out");
}

void OutputRun::tell_of_recompression() {
  if (input_ == nullptr || !only_turns(file_, output_, *input_, written_)) return;
  const Codec& codec = *output_.codec;
  if (!codec.uses_quality(codec.kept_compression(written_))) return;
  const std::string what = "the pixels are compressed again, with loss";
  report_.explanation.push_back("output: " + what);
  if (common_.in_place) report_.warnings.push_back(what);
}

bool OutputRun::keeps_levels() const {
  const FileStorage& storage = written_.storage;
  return !has_stages_ && !written_.mip && (storage.levels > 1 || storage.is_rip_map()) &&
         storage.format == output_.codec->name;
}

void OutputRun::check_keeps_levels() const {
  const FileStorage& storage = written_.storage;
  if (keeps_levels() || written_.mip || (storage.levels <= 1 && !storage.is_rip_map())) return;
  throw Error(output_.job.output,
              std::string("--in-place would delete the file's ") +
                  (storage.is_rip_map() ? "rip" : "mip") + " levels",
              "end the chain with + mip to make new ones, or write to another file");
}

// Adds a note on rounding that no --type requested, if it applies to all layers in the same way.
void OutputRun::note_smaller_type() {
  if (output_.codec == nullptr || input_ == nullptr || common_.type) return;
  const Spec& read = input_->spec();
  const PixelType from = read.layer(0).type, to = written_.layer(0).type;
  if (bytes_of(to) >= bytes_of(from)) return;
  for (const Spec* const spec : {&read, &written_})
    for (const LayerSpec& layer : spec->layers)
      if (layer.type != spec->layer(0).type) return;
  std::string note = std::string(name_of(from)) + " is rounded to " + std::string(name_of(to));
  const auto& types = output_.codec->capabilities.types;
  const auto better = std::ranges::find_if(types, [&](PixelType type) {
    return bytes_of(type) > bytes_of(to) && bytes_of(type) <= bytes_of(from);
  });
  if (better != types.end()) note += "; --type " + std::string(name_of(*better)) + " keeps more";
  report_.notes.push_back(note);
}

// The layout that the encoder accepts instead of pixels, if a card can make it.
std::optional<DctLayout> OutputRun::block_layout(bool keeps_near, const Encoder* encoder) const {
  if (!computes_ || keeps_near || encoder == nullptr || !may_use_blocks(plan_, file_.execution))
    return std::nullopt;
  return encoder->block_layout();
}

void OutputRun::run(RowsComing source, RowMaker maker, bool keeps_near, Encoder* encoder) {
  const auto layout = block_layout(keeps_near, encoder);
  Image target =
      layout ? Image::without_memory(written_)
             : Image(computes_ ? written_ : Spec{}, keeps_near ? Held::some_rows : Held::whole);
  std::optional<TargetBlocks> blocks;
  if (layout) blocks.emplace(target, *layout);
  TargetBlocks* const target_blocks = blocks ? &*blocks : nullptr;
  RowProgress computed;
  if (keeps_near && computes_) cuimg::keep_near(computed, target);
  const Image& result = computes_ ? target : source.image;
  RowProgress& ready = computes_ ? computed : source.ready;
  Spent spent;
  {
    KeptThread computing;
    const AbandonRows abandon(computed);
    if (computes_)
      computing = start_rows(maker, computed, [&] {
        execute_where_asked(
            plan_, file_.execution,
            {source.image, source.ready, target, computed, {source.blocks, target_blocks}},
            report_);
      });
    spent = write(result, ready, source.ready, encoder, target_blocks);
  }
  if (!report_.difference) report_.difference = difference_of_levels_;
  if (computes_) report_.add_time(computed_wait_name, spent.waiting, StepClock::waiting);
  report_.add_time(output_.sink != nullptr ? report_name : encode_name, spent.working,
                   StepClock::wall);
}

// @param ready the result's rows. @param source the rows from which it is made.
OutputRun::Spent OutputRun::write(const Image& result, RowProgress& ready, RowProgress& source,
                                  Encoder* encoder, TargetBlocks* blocks) {
  const char* const name = output_.sink != nullptr ? report_name : encode_name;
  const TraceSpan span(file_.execution.trace, name, name);
  const auto waited_before = ready.consumers_waited();
  const Clock encoding;
  if (blocks != nullptr) ready.wait_for(INT32_MAX);
  if (blocks != nullptr && blocks->blocks)
    encoder->write_blocks(*blocks->blocks);
  else if (encoder != nullptr)
    encoder->write(result, ready);
  const double waited = milliseconds(ready.consumers_waited() - waited_before);
  const double encoded = encoding.milliseconds() - waited;
  // An encoder stops at the last row. Wait for later failures: a wrong checksum, or a truncated
  // file.
  source.wait_for(INT32_MAX);
  ready.wait_for(INT32_MAX);
  if (output_.sink == nullptr) return {std::max(0.0, encoded), waited};
  const Clock reporting;
  report_on(result);
  return {reporting.milliseconds(), waited};
}

// A level of the input, processed like the whole picture.
Image OutputRun::kept_level(LevelId id) {
  const std::unique_ptr<Decoder> decoder = input_->open_level(id);
  const Plan plan = planned(PlanState(decoder->spec()), {});
  Image level = decoded(*decoder);
  if (plan.steps.empty()) return level;
  RowProgress ready;
  ready.finish();
  return level_of(plan, level, ready);
}

Image OutputRun::level_of(const Plan& plan, const Image& source, RowProgress& ready) {
  Image made(plan.output());
  RowProgress done;
  RunReport report;
  execute_where_asked(plan, file_.execution, {source, ready, made, done}, report);
  if (!difference_of_levels_) difference_of_levels_ = report.difference;
  return made;
}

// Half of the previous level, as it is written.
Image OutputRun::next_made_level(const Image& finer) {
  Spec input = finer.spec();
  input.display_window = input.data_window;  // the whole data window is halved
  StageContext context;
  context.raw = file_.common.raw;
  context.refuses_nearest_mattes = file_.common.cryptomatte == MatteChoice::refuse;
  Plan plan = make_plan(input, {halving(input.data_window, *written_.mip)}, output_.codec,
                        std::nullopt, {0, 0, 0}, context);
  choose_device(plan, file_.execution);
  RowProgress ready;
  ready.finish();
  return level_of(plan, finer, ready);
}

void OutputRun::report_on(const Image& result) {
  const std::optional<int> part =
      part_.is_one_of_several ? std::optional(part_.number) : std::nullopt;
  const ReportContext context{{file_.job.name(), part, file_.job.alone},
                              common_.json,
                              Queue::cpu(common_.threads),
                              common_.no_clobber,
                              {plan_.end.chosen}};
  report_.printed =
      output_.sink->description->report(output_.sink->parameters.get(), result, context);
}

}  // namespace cuimg

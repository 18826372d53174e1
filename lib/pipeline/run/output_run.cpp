// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/output_run.h"

#include <algorithm>
#include <cstdint>

#include "base/message_text.h"
#include "image/cryptomatte.h"
#include "io/flat_image.h"
#include "io/tags/exif.h"
#include "io/tags/photoshop.h"
#include "pipeline/layers.h"
#include "pipeline/output_metadata.h"
#include "pipeline/run/execution.h"
#include "pipeline/run/near_rows.h"
#include "pipeline/run/parts.h"
#include "pipeline/run/turned_file.h"
#include "stages/geometry/resize.h"
#include "stages/registry.h"

namespace cuimg {
namespace {

bool lists(const std::vector<std::string_view>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

BoundStage halving(const Rect& window, const MipLevels& levels) {
  Resize resize;
  resize.size = pixels(std::max(1, window.width / 2), std::max(1, window.height / 2));
  resize.filter = choice_named<ResizeFilter>(levels.filter);
  resize.border = choice_named<Border>(levels.border);
  return bind(*find_stage("resize"), resize);
}

// If pixels are not square, the vertical density differs from the horizontal one.
bool holds_both_densities(const Codec& codec, const Spec& spec) {
  const auto& range = codec.capabilities.densities;
  const double across = metadata_number(spec.metadata, "xDensity").value_or(0);
  return !range || range->holds(across * static_cast<double>(spec.pixel_aspect));
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

// Whether EXIF's statements about the input's colours may be wrong for the output's.
bool OutputRun::changes_colors(const Spec& written) const {
  const ColorEncoding& to = written.color;
  const auto primaries_of = [](const ColorEncoding& color) {
    return color.primaries.value_or(Chromaticities{});
  };
  const auto differs = [&](const ColorEncoding& from) {
    return from.curve != to.curve || from.gamma != to.gamma || from.profile != to.profile ||
           primaries_of(from) != primaries_of(to);
  };
  if (input_ == nullptr) return differs(plan_.end.home);
  if (only_turns(file_, output_, *input_, written)) return false;
  const ColorEncoding& from = input_->spec().color;
  const bool is_read_as_other =
      has_inks(*input_) || (input_->file_facts().contains(profile_fact) && !from.profile);
  return is_read_as_other || differs(from);
}

// Whether size, channels and type are the same as in the input's file.
bool OutputRun::has_form_of_input(const Spec& written) const {
  if (input_ == nullptr) return false;
  const Spec& read = input_->spec();
  const Metadata facts = input_->file_facts();
  const auto* const bits = find_entry<std::int64_t>(facts, "bit depth");
  const auto* const layout = find_entry<std::string>(facts, "layout");
  const auto has_stored_bits = [&](const LayerSpec& layer) {
    return bits == nullptr || *bits == static_cast<std::int64_t>(8 * bytes_of(layer.type));
  };
  return !facts.contains("samples") && !facts.contains("sample format") &&
         !facts.contains("planes") && std::ranges::all_of(read.layers, has_stored_bits) &&
         (layout == nullptr || !layout->ends_with("planes apart")) &&
         read.display_window.width == written.display_window.width &&
         read.display_window.height == written.display_window.height &&
         read.layers == written.layers;
}

// Whether no pixel has moved: filters and colour stages keep positions.
bool OutputRun::keeps_places(const Spec& written) const {
  if (input_ == nullptr || input_->spec().display_window != written.display_window) return false;
  const auto stages = std::span(file_.invocation.stages).first(output_.stages);
  const auto is_of = [](const StageFamily& family, const BoundStage& stage) {
    return std::ranges::any_of(family.stages, [&](const StageDescription* description) {
      return description->name == stage.description->name;
    });
  };
  return std::ranges::all_of(stages, [&](const BoundStage& stage) {
    return std::ranges::any_of(stage_families(), [&](const StageFamily& family) {
      return (family.name == "Filter" || family.name == "Colour") && is_of(family, stage);
    });
  });
}

// --metadata and --set.
Spec OutputRun::written_spec() {
  if (output_.codec == nullptr) return plan_.output();
  Spec spec = file_spec(plan_.output(), *output_.codec, common_.type);
  spec.metadata = kept_metadata(spec.metadata, common_.metadata, report_.warnings);
  const bool takes_one = file_.common.part.kind == PartChoice::Kind::one;
  leave_out_stale_description(spec.metadata, has_form_of_input(spec), part_.part_count,
                              takes_one || !output_.codec->writes_parts() ? 1 : part_.part_count,
                              report_.warnings);
  if (!keeps_places(spec) && leave_out_photoshop_places(spec.metadata))
    report_.notes.emplace_back(
        "Photoshop's paths and guides are left out, since they refer to the picture's old "
        "geometry");
  const bool changes = changes_colors(spec);
  if (changes) set_exif_color(spec.metadata, spec.color);
  if (input_ != nullptr)
    leave_out_stale_color(
        spec, input_->spec().color, changes,
        common_.compression.empty() ? output_.codec->kept_compression(spec) : common_.compression,
        report_.notes);
  change_metadata(spec, common_.set, *output_.codec);
  // In a file with layers, other parts may contain the ids: see leave_out_unused_mattes() for
  // parts.
  if (!output_.codec->capabilities.layers &&
      leave_out_unused_mattes(spec.metadata, matte_layer_names(spec)))
    report_.notes.emplace_back(unused_mattes_note);
  if (common_.metadata == MetadataPolicy::strip) spec.storage.preview_side = 0;
  // The name of a TIFF page is free text, so it may contain names of people. An EXR needs the names
  // of its parts: readers choose a part by its name.
  const Codec* const read = codec_named(spec.storage.format);
  const bool names_a_part = read != nullptr && read->capabilities.layers;
  if (common_.metadata != MetadataPolicy::keep &&
      !(names_a_part && output_.codec->capabilities.layers))
    spec.part_name.clear();
  return spec;
}

PartToWrite OutputRun::to_write() {
  EncodeOptions options{common_.compression, common_.quality, common_.threads};
  keep_storage(options);
  note_lost_metadata();
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
  if (options.compression.empty() && lists(output_.codec->compressions, storage.compression)) {
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

void OutputRun::note_lost_metadata() {
  std::string lost;
  const auto lose = [&](const std::string& what) { add_item(lost, what); };
  const Capabilities& can = output_.codec->capabilities;
  bool keeps_exif = false;
  for (const auto& [key, value] : written_.metadata) {
    const bool is_kept = can.keeps != nullptr && can.keeps(key, value);
    if (!is_kept || (key == "xDensity" && !holds_both_densities(*output_.codec, written_)))
      lose(key);
    keeps_exif = keeps_exif || (is_kept && key == exif_key);
  }
  if (can.loses != nullptr) {
    constexpr std::size_t most_named = 20;  // of the thousands that a malicious file may have
    const std::vector<std::string> parts = can.loses(written_);
    for (std::size_t i = 0; i < std::min(parts.size(), most_named); ++i) lose(parts[i]);
    if (parts.size() > most_named) lose(std::to_string(parts.size() - most_named) + " more");
  }
  if (keeps_exif && !can.exif_thumbnail && has_exif_thumbnail(written_.metadata))
    lose("the thumbnail of exif");
  if (written_.storage.preview_side > 0 && !can.preview) lose("the preview");
  if (written_.pixel_aspect != 1 && !can.pixel_aspect) lose("the pixels' aspect");
  if (!lost.empty())
    report_.notes.push_back(std::string(output_.codec->description) + " cannot hold " + lost);
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

// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/part_run.h"

#include <algorithm>
#include <list>

#include "image/scratch.h"
#include "pipeline/layers.h"
#include "pipeline/pixel_memory.h"
#include "pipeline/run/execution.h"
#include "pipeline/run/measured.h"
#include "pipeline/run/near_rows.h"
#include "pipeline/run/parts.h"
#include "pipeline/run/turned_file.h"

namespace cuimg {

namespace {

// The limit on files also applies to the stages' images.
void check_sizes(const Plan& plan, std::uint64_t limit) {
  for (const PlannedStep& step : plan.steps) {
    const Rect made = step.operation->output().data_window;
    const auto pixels = static_cast<std::uint64_t>(made.pixels());
    if (pixels > limit)
      throw Error(step.name,
                  "its " + size_text(made) + " are " + std::to_string(pixels) +
                      " pixels, more than the limit of " + std::to_string(limit),
                  "raise it with --limit-pixels");
  }
}

// A small file may decode to a picture that exceeds any memory. Stages that work row by row need
// little of it in memory. A stage that reads its input in any order needs all of it, and is refused
// unless --limit-pixels is above its default.
void check_inflation(const std::string& stage, const Spec& input, std::size_t file_bytes,
                     std::uint64_t limit_pixels) {
  constexpr std::size_t harmless_bytes = std::size_t{1} << 30, most_per_file_byte = 4096;
  const std::size_t bytes = input.pixel_bytes();
  if (limit_pixels > DecodeOptions{}.limit_pixels || bytes <= harmless_bytes ||
      bytes / most_per_file_byte <= file_bytes)
    return;
  throw Error(stage,
              "it needs the whole input, whose " + size_text(input.data_window) +
                  " pixels would take " + std::to_string(bytes >> 20) + " MB, from a file of " +
                  std::to_string(file_bytes) + " bytes",
              "if that is intended, raise --limit-pixels");
}

void check_inflation(const Plan& plan, std::size_t file_bytes, std::uint64_t limit_pixels) {
  const Spec* input = &plan.input;
  for (const PlannedStep& step : plan.steps) {
    if (step.wants_whole_input()) check_inflation(step.name, *input, file_bytes, limit_pixels);
    input = &step.operation->output();
  }
}

Spec input_spec(const Decoder* decoder, const PartTaken& part) {
  if (decoder == nullptr) return {};
  Spec spec = decoder->spec();
  spec.storage.part = part.number;
  spec.storage.parts = part.part_count;
  return spec;
}

}  // namespace

PartRun::PartRun(const FileRun& file, std::unique_ptr<Decoder> decoder, PartTaken part)
    : file_(file),
      decoder_(std::move(decoder)),
      part_(part),
      input_(input_spec(decoder_.get(), part_)) {
  plan();
  are_turned_.resize(outputs_.size());
  report_.unmeasured = unmeasured_stages(stages_);
}

// The measuring passes decode separately, so the run itself may still keep only a few rows.
std::vector<BoundStage> PartRun::measured(const std::vector<BoundStage>& stages) const {
  const CommonOptions& common = file_.common;
  if (common.dry_run || !has_unmeasured(stages)) return stages;
  const TraceSpan span(file_.execution.trace, "images", "measure");
  const auto read = [&] {
    const auto image = std::make_shared<Image>(input_);
    RowProgress progress;
    if (decoder_) file_.reopen(part_.number)->read(*image, progress);
    return image;
  };
  std::optional<Scratch> scratch;
  const auto check = [&](const Plan& plan, const std::string& stage) {
    check_sizes(plan, common.limit_pixels);
    const std::uint64_t held =
        file_.context.run->held_bytes() + (decoder_ ? decoder_->held_bytes() : 0);
    if (!scratch && bytes_on_cpu(plan) + held > file_.memory_bytes)
      scratch.emplace(scratch_folder(common), file_.memory_bytes);
    if (!decoder_) return;
    // The passes keep the whole input, whatever its stages need.
    check_inflation(stage, input_, file_.input_bytes, common.limit_pixels);
    check_inflation(plan, file_.input_bytes, common.limit_pixels);
  };
  return cuimg::measured(stages, input_, file_.context_of(part_),
                         {read, check, common.background.rgb, common.threads});
}

// Leaves out the stages for which the part has no layer.
void PartRun::plan() {
  const BoundStage* const sink = file_.outputs.back().sink;
  const std::vector<BoundStage>& all = file_.invocation.stages;
  std::vector<BoundStage> given(all.begin(), all.end() - (sink != nullptr ? 1 : 0));
  std::vector<std::size_t> places;
  for (const ChainOutput& output : file_.outputs)
    places.push_back(part_.is_left_alone ? 0 : output.stages);
  if (part_.is_left_alone) {
    given.clear();
    report_.explanation.emplace_back("left alone: --layers names layers of other parts");
  }
  for (;;) {
    stages_ = given;
    try {
      stages_ = measured(given);
      return plan_outputs(places);
    } catch (const NoLayer& error) {
      // Measuring has changed parameters, but not the positions of stages.
      const auto without = std::ranges::find_if(stages_, [&](const BoundStage& stage) {
        return stage.parameters == error.stage.parameters;
      });
      if (!part_.is_one_of_several || without == stages_.end()) throw;
      left_out_ = error;
      report_.explanation.push_back(without->description->name + ": the part has no layer for it");
      const std::ptrdiff_t stage = without - stages_.begin();
      given.erase(given.begin() + stage);
      for (std::size_t& place : places) place -= place > static_cast<std::size_t>(stage) ? 1 : 0;
    }
  }
}

// The stages between two outputs of the chain form a separate plan, whose pixels both outputs read.
void PartRun::plan_outputs(const std::vector<std::size_t>& places) {
  between_.clear();
  outputs_.clear();
  PlanState state(input_);
  std::size_t done = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto first = stages_.begin() + static_cast<std::ptrdiff_t>(done);
    const std::vector<BoundStage> next(first,
                                       stages_.begin() + static_cast<std::ptrdiff_t>(places[i]));
    done = places[i];
    const bool is_last = i + 1 == places.size();
    if (!is_last) {
      between_.push_back(make_plan(state, next, nullptr, std::nullopt, file_.common.background.rgb,
                                   file_.context_of(part_)));
      choose_device(between_.back(), file_.execution);
      state = between_.back().end;
    }
    outputs_.push_back(nullptr);
    if (part_.is_wanted_by(i))
      outputs_.back() =
          std::make_unique<OutputRun>(file_, file_.outputs[i], part_, decoder_.get(), state,
                                      is_last ? next : std::vector<BoundStage>{}, has_tees());
  }
}

std::uint64_t PartRun::input_pixels() const {
  return static_cast<std::uint64_t>(input_.data_window.pixels());
}

std::uint64_t PartRun::pixels() const {
  // Without an input there is one part, which all outputs use.
  const Spec& counted = decoder_ ? input_ : outputs_.back()->plan().output();
  return static_cast<std::uint64_t>(counted.data_window.pixels());
}

template <class Visit>
void PartRun::for_each_plan(const Visit& visit) const {
  for (const Plan& plan : between_) visit(plan);
  for (const auto& output : outputs_)
    if (output) visit(output->plan());
}

std::uint64_t PartRun::memory_bytes() const {
  std::uint64_t bytes = 0, source = input_.pixel_bytes();
  const std::uint64_t held = decoder_ ? decoder_->held_bytes() : 0;
  if (decoder_ && file_.execution.card.has_several_images() &&
      (file_.must_use_card() || may_use_card()))
    source = std::max<std::uint64_t>(source, decoder_->block_bytes());
  const bool may_be_near = is_large() && !may_use_card();
  for (const Plan& plan : between_)
    if (!plan.steps.empty()) bytes += plan.output().pixel_bytes();
  for (const auto& output : outputs_)
    if (output) bytes += output->memory_bytes(may_be_near);
  if (file_.must_use_card() || may_use_card()) return source + held + bytes;
  if (may_be_near && source_comes_in_order() && outputs_.back()->reads_in_order())
    source = std::min<std::uint64_t>(source,
                                     keep_near_bytes + source_bytes_held(outputs_.back()->plan()));
  for_each_plan([&](const Plan& plan) { bytes += bytes_between(plan); });
  return source + held + bytes;
}

std::uint64_t PartRun::bytes_under_way() const {
  std::uint64_t bytes = 0;
  if (!file_.must_use_card())
    for_each_plan([&](const Plan& plan) { bytes += bytes_of_bands(plan, file_.common.threads); });
  return bytes;
}

void PartRun::check_limits(std::size_t file_bytes) const {
  for_each_plan([&](const Plan& plan) {
    check_sizes(plan, file_.common.limit_pixels);
    if (decoder_) check_inflation(plan, file_bytes, file_.common.limit_pixels);
  });
}

std::optional<std::vector<std::byte>> PartRun::turned(std::size_t output) {
  OutputRun* const written = outputs_[output].get();
  if (!decoder_ || written == nullptr) return std::nullopt;
  auto file = turned_file(file_, file_.outputs[output], *decoder_, written->written());
  are_turned_[output] = file.has_value();
  if (!file) return std::nullopt;
  const bool is_kept = file_.outputs[output].stages == 0 || file->orientation != 1;
  written->explain(std::string("output: the file's blocks are ") + (is_kept ? "kept" : "turned") +
                   ", without loss");
  if (file->orientation != 1)
    written->explain("output: EXIF's orientation stays " + std::to_string(file->orientation) +
                     ", since turning the blocks at the edge would lose pixels");
  written->tell_of(*file);
  return std::move(file->bytes);
}

void PartRun::check_keeps_all(const std::string& source) const {
  if (!are_turned_.back()) refuse_losses_of_decoding(*decoder_, source);
}

bool PartRun::may_use_card() const {
  bool takes_card = false;
  for_each_plan([&](const Plan& plan) { takes_card = takes_card || plan.takes_card; });
  return takes_card;
}

// If an image is large and a single reader uses its rows in order, only some of them are kept in
// memory. A card that must be used returns the result on one stream, and --device both compares
// whole images.
bool PartRun::is_large() const {
  return !has_tees() && !file_.must_use_card() &&
         input_.pixel_bytes() + outputs_.back()->memory_bytes(false) > keep_near_bytes;
}

bool PartRun::source_comes_in_order() const { return !decoder_ || decoder_->reads_in_order(); }

RowOrder PartRun::rows_near() const {
  if (!is_large()) return {false, false};
  const OutputRun& last = *outputs_.back();
  // A card uploads no row before its context exists, and the decoder should not wait for that.
  const RowOrder possible{!may_use_card() && source_comes_in_order() && last.reads_in_order(),
                          last.can_keep_near()};
  const auto memory_bytes = Scratch::memory_bytes();
  if (!memory_bytes || !last.computes()) return possible;
  const RowOrder order = row_order(last.plan(), *memory_bytes, file_.common.threads);
  return {possible.source && order.source, possible.output && order.output};
}

// Whether a card computes the pixels from the file's blocks: if only one output reads them.
bool PartRun::reads_blocks() const {
  return decoder_ && decoder_->block_bytes() > 0 && !has_tees() && outputs_.back()->computes() &&
         may_use_blocks(outputs_.back()->plan(), file_.execution);
}

void PartRun::decode(Image& source, RowProgress& decoded, SourceBlocks* blocks) try {
  if (blocks != nullptr) {
    try {
      blocks->blocks = decoder_->read_blocks();
    } catch (const Error&) {
      // Blocks may need more memory than pixels do; any other failure will occur again.
    }
    if (blocks->blocks) return decoded.finish();
    source.allocate();
  }
  decoder_->read(source, decoded);
} catch (const Error& error) {
  if (part_.part_count == 1) throw;
  throw error_of_part(error, file_.job.inputs.front(), part_text(part_.number, input_.part_name));
}

void PartRun::run(std::span<Encoder* const> encoders) {
  // Creating a card's context takes longer than decoding most images, so both are done together.
  if (may_use_card()) warm_up_cuda(file_.common.device.first_card());
  const RowOrder near = rows_near();
  const bool in_blocks = !near.source && reads_blocks();
  Image source = in_blocks ? Image::without_memory(input_)
                           : Image(input_, near.source ? Held::some_rows : Held::whole);
  std::optional<SourceBlocks> blocks;
  if (in_blocks)
    blocks.emplace(source, [this](Image& image) {
      RowProgress progress;
      decoder_->read(image, progress);
    });
  SourceBlocks* const source_blocks = blocks ? &*blocks : nullptr;
  // Before a decoder's thread exists that uses it.
  for (const auto& output : outputs_)
    if (output) output->set_written(source);
  RowProgress decoded;
  if (near.source) keep_near(decoded, source);
  const RowMaker maker = file_.row_maker(near.source || near.output);
  {
    const KeptThread decoding = start_rows(maker, decoded, [&] {
      if (!decoder_) return;
      const TraceSpan span(file_.execution.trace, decode_name, decode_name);
      const Clock clock;
      decode(source, decoded, source_blocks);
      decode_ms_ = clock.milliseconds() - milliseconds(decoded.producer_waited());
    });
    const AbandonRows abandon(decoded);
    run_outputs({source, decoded, source_blocks}, maker, near.output, encoders);
  }
  if (!decoder_) return;
  report_.add_time(decode_name, decode_ms_, StepClock::wall);
  report_.add_time(room_wait_name, milliseconds(decoded.producer_waited()), StepClock::waiting);
  report_.add_time(decoded_wait_name, milliseconds(decoded.consumers_waited()), StepClock::waiting);
}

// Pixels that a tee writes and later stages read.
struct PartRun::Between {
  explicit Between(const Plan& plan) : image(plan.output()) {}
  Image image;
  RowProgress ready;
};

void PartRun::run_outputs(RowsComing decoded, RowMaker maker, bool keeps_near,
                          std::span<Encoder* const> encoders) {
  std::list<Between> made;
  std::vector<RowsComing> reached = {decoded};  // before the chain and at each tee
  for (const Plan& plan : between_) {
    if (plan.steps.empty()) {
      reached.push_back(reached.back());
      continue;
    }
    Between& next = made.emplace_back(plan);
    reached.push_back({next.image, next.ready});
  }
  between_reports_.resize(between_.size());
  std::vector<std::exception_ptr> failures(outputs_.size());
  const auto write = [&](std::size_t i) {
    if (outputs_[i] == nullptr || are_turned_[i]) return;
    try {
      const RowsComing source = reached[std::min(i + 1, reached.size() - 1)];
      outputs_[i]->run(source, maker, keeps_near, encoders[i]);
    } catch (...) {
      failures[i] = std::current_exception();
    }
  };
  {
    // Each reads what another one makes: all must end before any image is freed.
    std::vector<KeptThread> threads;
    auto next = made.begin();
    for (std::size_t i = 0; i < between_.size(); ++i) {
      if (!between_[i].steps.empty()) {
        threads.push_back(start_rows(maker, next->ready, [this, i, from = reached[i], &to = *next] {
          execute_where_asked(between_[i], file_.execution,
                              {from.image, from.ready, to.image, to.ready}, between_reports_[i]);
        }));
        ++next;
      }
      threads.push_back(start_or_run([&write, i] { write(i); }));
    }
    write(outputs_.size() - 1);
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

// @param of the tee to which it belongs; empty: the chain's own.
void PartRun::add(RunReport report, const std::string& of) {
  if (!of.empty()) {
    for (std::string& line : report.explanation) line.insert(0, of + ": ");
    for (StepTime& time : report.times) time.of = of;
  }
  report_.add(std::move(report));
}

RunReport PartRun::take_report() {
  for (std::size_t i = 0; i < between_.size(); ++i) {
    const std::vector<std::string>& planned = between_[i].explanation;
    report_.explanation.insert(report_.explanation.end(), planned.begin(), planned.end());
    if (i < between_reports_.size()) add(std::move(between_reports_[i]), "");
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i] == nullptr) continue;
    const bool is_tee = i + 1 < outputs_.size();
    add(outputs_[i]->take_report(), is_tee ? "tee " + file_.outputs[i].job.output : "");
  }
  if (part_.is_one_of_several) {
    const std::string name = "part " + part_text(part_.number, input_.part_name);
    for (std::string& line : report_.explanation) line.insert(0, name + ": ");
    for (StepTime& time : report_.times) time.of.insert(0, time.of.empty() ? name : name + ", ");
    if (report_.difference) report_.difference->insert(0, name + ": ");
  }
  return std::move(report_);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/part_run.h"

#include <algorithm>
#include <climits>
#include <list>

#include "io/tags/orientation.h"
#include "pipeline/layers.h"
#include "pipeline/run/execution.h"
#include "pipeline/run/limits.h"
#include "pipeline/run/measured.h"
#include "pipeline/run/near_rows.h"
#include "pipeline/run/worth_a_card.h"

namespace cuimg {

PartRun::PartRun(const FileRun& file, std::unique_ptr<Decoder> decoder, PartTaken part)
    : file_(file),
      decoder_(std::move(decoder)),
      part_(part),
      input_(decoder_ ? decoder_->spec() : Spec{}) {
  plan();
  report_.unmeasured = unmeasured_stages(stages_);
}

// The measuring passes decode by themselves, so that the rows of the run may still be few.
std::vector<BoundStage> PartRun::measured(const std::vector<BoundStage>& stages) const {
  const CommonOptions& common = file_.common;
  if (common.dry_run || !has_unmeasured(stages)) return stages;
  const auto read = [&] {
    const auto image = std::make_shared<Image>(input_);
    RowProgress progress;
    if (decoder_) file_.reopen(part_.number, common.mip_level)->read(*image, progress);
    return image;
  };
  const auto check = [&](const Plan& plan, const std::string& stage) {
    check_sizes(plan, common.limit_pixels);
    if (!decoder_) return;
    // The passes hold the input whole, whatever its stages need.
    check_inflation(stage, input_, file_.input_bytes, common.limit_pixels);
    check_inflation(plan, file_.input_bytes, common.limit_pixels);
  };
  return cuimg::measured(stages, input_, file_.context,
                         {read, check, common.background.rgb, common.threads});
}

// Leaves out the stages that the part has no layer for.
void PartRun::plan() {
  const BoundStage* const sink = file_.outputs.back().sink;
  const std::vector<BoundStage>& all = file_.invocation.stages;
  std::vector<BoundStage> given(all.begin(), all.end() - (sink != nullptr ? 1 : 0));
  std::vector<std::size_t> places;
  for (const ChainOutput& output : file_.outputs) places.push_back(output.stages);
  for (;;) {
    stages_ = given;
    try {
      stages_ = measured(given);
      return plan_outputs(places);
    } catch (const NoLayer& error) {
      // Measuring has changed parameters, and no stage's place.
      const auto without = std::find_if(
          stages_.begin(), stages_.end(),
          [&](const BoundStage& stage) { return stage.parameters == error.stage.parameters; });
      if (!part_.is_one_of_several || without == stages_.end()) throw;
      left_out_ = error;
      report_.explanation.push_back(without->description->name + ": the part has no layer for it");
      const std::ptrdiff_t stage = without - stages_.begin();
      given.erase(given.begin() + stage);
      for (std::size_t& place : places) place -= place > static_cast<std::size_t>(stage) ? 1 : 0;
    }
  }
}

// What lies between two outputs of the chain is a plan of its own, whose pixels both read.
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
                                   file_.context));
      state = between_.back().end;
    }
    outputs_.push_back(nullptr);
    if (part_.is_wanted_by(i))
      outputs_.back() =
          std::make_unique<OutputRun>(file_, file_.outputs[i], part_, state,
                                      is_last ? next : std::vector<BoundStage>{}, has_tees());
  }
}

std::uint64_t PartRun::input_pixels() const {
  return static_cast<std::uint64_t>(input_.data_window.pixels());
}

std::uint64_t PartRun::pixels() const {
  // Without an input there is one part, which all outputs want.
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
  const std::uint64_t source = input_.pixel_bytes();
  const bool near = keeps_rows_near();
  std::uint64_t bytes = near ? std::min<std::uint64_t>(source, keep_near_bytes) : source;
  for (const Plan& plan : between_)
    if (!plan.steps.empty()) bytes += plan.output().pixel_bytes();
  for (const auto& output : outputs_)
    if (output) bytes += output->memory_bytes(near);
  if (!near) return bytes;
  const Spec* input = &input_;
  for (const PlannedStep& step : outputs_.back()->plan().steps) {
    if (step.wants_whole_input()) bytes += input->pixel_bytes();
    input = &step.operation->output();
  }
  return bytes;
}

void PartRun::check_limits(std::size_t file_bytes) const {
  for_each_plan([&](const Plan& plan) {
    check_sizes(plan, file_.common.limit_pixels);
    if (decoder_) check_inflation(plan, file_bytes, file_.common.limit_pixels);
  });
}

// Turns alone, and no option that asks for other pixels or another compression.
std::optional<std::vector<std::byte>> PartRun::turned() {
  const CommonOptions& common = file_.common;
  const std::vector<BoundStage>& stages = file_.invocation.stages;
  const Codec* const codec = file_.outputs.back().codec;
  const bool are_turns = std::all_of(stages.begin(), stages.end(), [](const BoundStage& stage) {
    return stage.description->turn != 0;
  });
  const bool as_it_is =
      !common.type && common.compression.empty() && !common.quality && common.layers.empty();
  if (!decoder_ || codec == nullptr || has_tees() || stages.empty() || !are_turns || !as_it_is ||
      file_.job.black || outputs_.back()->written().storage.format != codec->name)
    return std::nullopt;
  Orientation turn;
  for (const BoundStage& stage : stages) turn = both(turn, {stage.description->turn});
  auto bytes = decoder_->turned(turn.exif, outputs_.back()->written());
  if (bytes) report_.explanation.emplace_back("output: the file's blocks are turned, without loss");
  return bytes;
}

bool PartRun::may_use_card() const {
  bool worth = false;
  if (file_.common.device.kind == DeviceChoice::Kind::automatic)
    for_each_plan(
        [&](const Plan& plan) { worth = worth || is_worth_a_card(plan, file_.common.threads); });
  return worth && may_have_cuda();
}

// A large image whose rows are worked on in order, and by one reader. A card's result comes by one
// stream, and --device both compares whole images.
bool PartRun::keeps_rows_near() const {
  return !has_tees() && !file_.must_use_card() && !may_use_card() &&
         input_.pixel_bytes() + outputs_.back()->memory_bytes(false) > keep_near_bytes;
}

void PartRun::run(std::span<Encoder* const> encoders) {
  // A card's context takes longer to make than most images take to decode: do both together.
  if (may_use_card()) warm_up_cuda(file_.common.device.index);
  Image source(input_);
  RowProgress decoded;
  if (keeps_rows_near()) keep_near(decoded, source);
  {
    const std::jthread decoding = start_rows(decoded, [&] {
      if (decoder_) decoder_->read(source, decoded);
      decode_ms_ = file_.clock.milliseconds();
    });
    const AbandonRows abandon(decoded);
    run_outputs({source, decoded}, encoders);
  }
  if (decoder_) add_time("decoded", decode_ms_);
}

// Pixels that a tee writes and later stages read, made by a thread of their own.
struct PartRun::Between {
  explicit Between(const Plan& plan) : image(plan.output()) {}
  Image image;
  RowProgress ready;
  RunReport report;
  std::jthread making;
};

void PartRun::run_outputs(RowsComing decoded, std::span<Encoder* const> encoders) {
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
  std::vector<std::exception_ptr> failures(outputs_.size());
  const auto write = [&](std::size_t i) {
    if (outputs_[i] == nullptr) return;
    try {
      const RowsComing source = reached[std::min(i + 1, reached.size() - 1)];
      outputs_[i]->run(source, keeps_rows_near(), encoders[i]);
    } catch (...) {
      failures[i] = std::current_exception();
    }
  };
  {
    // Each reads what another one makes: all have ended before any image goes.
    std::vector<std::jthread> threads;
    auto next = made.begin();
    for (std::size_t i = 0; i < between_.size(); ++i) {
      if (!between_[i].steps.empty()) {
        threads.push_back(start_rows(next->ready, [this, i, from = reached[i], &to = *next] {
          execute_where_asked(between_[i], file_.common,
                              {from.image, from.ready, to.image, to.ready}, to.report);
        }));
        ++next;
      }
      threads.emplace_back(write, i);
    }
    write(outputs_.size() - 1);
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  for (Between& between : made) add(std::move(between.report), "");
}

void PartRun::add_time(const char* name, double milliseconds) {
  report_.times.push_back({name, milliseconds, StepClock::wall});
}

void PartRun::add(RunReport report, const std::string& prefix) {
  for (std::string& line : report.explanation) line.insert(0, prefix);
  for (StepTime& time : report.times) time.step.insert(0, prefix);
  report_.add(std::move(report));
}

RunReport PartRun::take_report() {
  for (const Plan& plan : between_)
    report_.explanation.insert(report_.explanation.end(), plan.explanation.begin(),
                               plan.explanation.end());
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i] == nullptr) continue;
    const bool is_tee = i + 1 < outputs_.size();
    add(outputs_[i]->take_report(), is_tee ? "tee " + file_.outputs[i].job.output + ": " : "");
  }
  if (part_.is_one_of_several) {
    const std::string name = "part " + part_text(part_.number, input_.part_name) + ": ";
    for (std::string& line : report_.explanation) line.insert(0, name);
    for (StepTime& time : report_.times) time.step.insert(0, name);
    if (report_.difference) report_.difference->insert(0, name);
  }
  return std::move(report_);
}

}  // namespace cuimg

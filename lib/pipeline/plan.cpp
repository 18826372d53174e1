// SPDX-License-Identifier: Apache-2.0
// Between two steps that need different forms of pixels, the pipeline inserts exactly one
// conversion.
#include "pipeline/plan.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/message_text.h"
#include "pipeline/layers.h"
#include "stages/pass/conversion.h"
#include "stages/pass/pixel_pass.h"

namespace cuimg {
namespace {

// The requirements of a stage for each input layer.
std::vector<Values> values_wanted(const Operation& operation, const Spec& input) {
  std::vector<Values> wanted(input.layers.size(), Values::stored);
  for (const LayerPlan& layer : operation.plan().layers)
    if (layer.values != Values::stored)
      for (const int source : layer.sources)
        wanted[static_cast<std::size_t>(source)] = layer.values;
  return wanted;
}

// Whether it moves colours of the image's encoding, with their alpha, without computing with them.
bool takes_colors_as_they_lie(const Operation& operation, const Spec& input) {
  const auto lies_straight = [&](int source) {
    const LayerSpec& layer = input.layer(source);
    return layer.is_color() && layer.alpha_index() >= 0 && !layer.stays_premultiplied;
  };
  for (const LayerPlan& layer : operation.plan().layers)
    if (layer.values == Values::stored && std::ranges::any_of(layer.sources, lies_straight))
      return true;
  return false;
}

// Whether every layer's pixels are those of one input layer, as they are stored.
bool only_moves(const OperationPlan& operation) {
  return std::ranges::all_of(operation.layers, [](const LayerPlan& layer) {
    return layer.values == Values::stored && layer.sources.size() == 1 && !layer.pixel_pass;
  });
}

std::vector<Values> light_of_colors(const Spec& spec) {
  std::vector<Values> wanted;
  for (const LayerSpec& layer : spec.layers)
    wanted.push_back(layer.is_color() ? Values::linear : Values::stored);
  return wanted;
}

std::vector<int> every_layer(const Spec& spec) {
  std::vector<int> indices(spec.layers.size());
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

const char* const conversion_name = "convert";

// Consecutive per-pixel steps are merged.
void add_step(std::vector<PlannedStep>& steps, PlannedStep step) {
  if (!steps.empty())
    if (auto both = fused(*steps.back().operation, *step.operation)) {
      std::string& name = steps.back().name;
      if (name == conversion_name)
        name = step.name;
      else if (step.name != conversion_name)
        name += " + " + step.name;
      steps.back().operation = std::move(both);
      return;
    }
  steps.push_back(std::move(step));
}

// Layers of Cryptomatte among an image's, all or some.
template <class Wanted>
std::string mattes_listed(const Spec& spec, const Wanted& wanted) {
  std::string names;
  for (std::size_t i = 0; i < spec.layers.size(); ++i)
    if (spec.layers[i].is_matte && wanted(i)) add_item(names, spec.layers[i].label());
  return names;
}

// How a stage that reads between pixels treats ids and coverages.
void check_mattes(const std::string& stage, const OperationPlan& operation, bool refuses,
                  std::vector<std::string>& explanation) {
  const std::string nearest = mattes_listed(
      operation.output, [&](std::size_t i) { return operation.layers[i].takes_nearest_ids; });
  if (nearest.empty()) return;
  if (refuses)
    throw Error(stage, "it would resample the ids of " + nearest,
                "--cryptomatte keep takes the nearest pixel's");
  explanation.push_back(stage + ": takes the nearest pixel's ids and coverages of " + nearest);
}

// Only if a stage has created them. Colours of an input with such primaries looked the same before.
void warn_of_lost_primaries(const ColorEncoding& home, const Spec& made, const Spec& written,
                            const Codec& codec, std::vector<std::string>& warnings) {
  const auto of = [](const ColorEncoding& color) {
    return color.primaries.value_or(Chromaticities{});
  };
  const LayerSpec& layer = written.layers.front();
  const bool in_color = layer.is_color() && layer.channels.front() != "Y";
  if (!in_color || of(made.color) == of(home) || of(made.color) == of(written.color)) return;
  warnings.push_back(std::string(codec.description) +
                     " cannot store primaries: colours are converted to Rec.709's");
}

// The selection among an image's layers.
struct PickedLayers {
  Spec image;
  std::vector<PixelType> stored;
  std::vector<int> sources;
};

PickedLayers picked(const PlanState& all) {
  PickedLayers picked{all.image, {}, {}};
  picked.image.layers.clear();
  for (std::size_t i = 0; i < all.chosen.size(); ++i) {
    if (!all.chosen[i]) continue;
    picked.image.layers.push_back(all.image.layers[i]);
    picked.stored.push_back(all.stored[i]);
    picked.sources.push_back(static_cast<int>(i));
  }
  return picked;
}

void add_conversion(Plan& plan, const Spec& target, const std::vector<int>& sources,
                    const std::array<float, 3>& background, bool raw) {
  plan.explanation.push_back("convert: to " + describe_pixels(target));
  add_step(plan.steps,
           {conversion_name, make_conversion(plan.output(), target, sources, background, raw)});
}

bool same_pixels(const Spec& a, const Spec& b) {
  return a.layers == b.layers && a.color == b.color && a.data_window == b.data_window;
}

// The image with its own encoding in those layers, too, that earlier stages left premultiplied.
Spec in_one_form(Spec image, const std::vector<bool>& these) {
  for (std::size_t i = 0; i < these.size(); ++i)
    if (these[i]) image.layers[i].stays_premultiplied = false;
  return image;
}

// Plans a chain, stage after stage.
class Planner {
 public:
  Planner(const PlanState& start, const std::array<float, 3>& background, const StageContext& given)
      : start_(start), background_(background), context_(given) {
    const Spec& input = start.image;
    context_.home = start.home;
    context_.part_name = input.part_name;
    context_.part = input.storage.part;
    context_.parts = input.storage.parts;
    context_.image.part = context_.part;
    plan_.input = input;
    plan_.end = start;
    if (!input.layers.empty()) explain("input", describe_pixels(input));
    const std::string mattes = mattes_listed(input, [](std::size_t) { return true; });
    if (!mattes.empty())
      explain("input", mattes + ": Cryptomatte's ids and coverages, moved but never mixed");
  }

  void add(const BoundStage& stage) {
    const std::string& name = stage.description->name;
    Spec before = plan_.output();
    if (stage.description->ends_environment) before.metadata.erase("envmap");
    const bool makes_layers = before.layers.empty();
    if (chosen().empty() && !makes_layers) chosen() = layers_named(before, context_.layers);
    const Spec uniform = in_one_form(before, touched_layers(stage, before, chosen(), context_));
    if (!same_pixels(uniform, before)) convert(uniform, every_layer(before));
    before = uniform;
    std::unique_ptr<Operation> operation = prepare_on_layers(stage, before, chosen(), context_);
    if (before.color.uncovered_light && takes_colors_as_they_lie(*operation, before)) {
      // The operation may put transparent black next to them, which would be light that covers
      // nothing.
      const Spec covered = working_spec(before, light_of_colors(before), context_);
      convert(covered, every_layer(before));
      before = covered;
      operation = prepare_on_layers(stage, before, chosen(), context_);
    }
    Spec working = working_spec(before, values_wanted(*operation, before), context_);
    working.data_window = operation->plan().window.value_or(working.data_window);
    if (!same_pixels(working, before)) convert(working, every_layer(before));
    explain(name, describe_pixels(operation->output()));
    for (const std::string& line : operation->plan().explanation) explain(name, line);
    check_mattes(name, operation->plan(), context_.refuses_nearest_mattes, plan_.explanation);
    follow_layers(*operation);
    follow_values(operation->plan());
    if (operation->plan().home) continue_file(*operation->plan().home);
    // The layers that --layers selects are those of a source's result; a sheet shows selected
    // layers of its inputs.
    if (makes_layers && stage.description->kind == Kind::reducer)
      chosen().assign(operation->output().layers.size(), true);
    else if (makes_layers)
      chosen() = layers_named(operation->output(), context_.layers);
    add_step(plan_.steps, {name, std::move(operation)});
  }

  // Without a stage --layers selects the layers that are reported or written.
  void take_named_layers() {
    takes_named_ = chosen().empty() && !context_.layers.empty();
    if (takes_named_) chosen() = layers_named(start_.image, context_.layers);
  }

  Plan finish(const Codec* codec, std::optional<PixelType> type) {
    plan_.end.image = plan_.output();
    if (codec != nullptr) store(*codec, type);
    explain("output", describe_pixels(plan_.output()));
    return std::move(plan_);
  }

 private:
  std::vector<bool>& chosen() { return plan_.end.chosen; }

  void explain(const std::string& what, const std::string& line) {
    plan_.explanation.push_back(what + ": " + line);
  }

  void convert(const Spec& target, const std::vector<int>& sources) {
    add_conversion(plan_, target, sources, background_, context_.raw);
  }

  // From here on the picture counts as that of a file with this encoding.
  void continue_file(const ColorEncoding& encoding) {
    plan_.end.home = context_.home = encoding;
    plan_.end.from_integers = std::ranges::any_of(plan_.end.stored, holds_codes);
  }

  void follow_values(const OperationPlan& operation) {
    if (only_moves(operation)) return;
    plan_.end.keeps_values = false;
    plan_.end.needs_floats = operation.needs_floats;
  }

  // Tracks the layers' stored types and which of them are chosen.
  void follow_layers(const Operation& operation) {
    std::vector<PixelType> stored;
    std::vector<bool> chosen_now;
    const std::vector<LayerSpec>& layers = operation.output().layers;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const LayerPlan& layer = operation.plan().layers[i];
      const bool is_new = layer.sources.empty();
      const std::size_t from = is_new ? 0 : static_cast<std::size_t>(layer.sources.front());
      stored.push_back(is_new ? layer.stored_type.value_or(layers[i].type)
                              : plan_.end.stored[from]);
      chosen_now.push_back(is_new || chosen()[from]);
    }
    plan_.end.stored = std::move(stored);
    chosen() = std::move(chosen_now);
  }

  void store(const Codec& codec, std::optional<PixelType> type) {
    const auto choose = [&](const Spec& image, const std::vector<PixelType>& types,
                            const std::vector<bool>& among) {
      return choose_output(image, types, codec, type, context_.raw,
                           plan_.end.from_integers ? &plan_.end.home : nullptr, among);
    };
    OutputChoice choice;
    if (takes_named_) {
      const PickedLayers named = picked(plan_.end);
      choice = choose(named.image, named.stored, {});
      for (int& source : choice.sources) source = named.sources[static_cast<std::size_t>(source)];
    } else {
      choice = choose(plan_.output(), plan_.end.stored, chosen());
    }
    check_holds_values(choice.spec, codec);
    plan_.warnings = choice.warnings;
    plan_.notes = choice.notes;
    warn_of_lost_primaries(plan_.end.home, plan_.output(), choice.spec, codec, plan_.warnings);
    for (const std::string& line : choice.decisions) explain("output", line);
    if (!same_pixels(choice.spec, plan_.output())) convert(choice.spec, choice.sources);
  }

  void check_holds_values(const Spec& written, const Codec& codec) const {
    if (plan_.end.needs_floats.empty()) return;
    for (const LayerSpec& layer : written.layers)
      if (holds_codes(layer.type))
        throw Error(std::string(codec.name),
                    std::string(name_of(layer.type)) + " holds 0 to 1 and would cut off " +
                        plan_.end.needs_floats,
                    "write floats, for example to an EXR");
  }

  const PlanState& start_;
  const std::array<float, 3>& background_;
  StageContext context_;
  Plan plan_;
  bool takes_named_ = false;
};

}  // namespace

std::string describe_pixels(const Spec& spec) {
  if (spec.layers.empty()) return "nothing";
  const LayerSpec* shown = &spec.layers.front();
  for (const LayerSpec& layer : spec.layers)
    if (layer.is_color()) {
      shown = &layer;
      break;
    }
  std::string text(name_of(shown->type));
  text += ' ';
  for (const std::string& channel : shown->channels) text += channel;
  if (shown->is_color()) {
    constexpr const char* curves[] = {
        "linear", "sRGB", "gamma ", "PQ", "HLG", "the profile's curve", "raw"};
    text += std::string(", ") + curves[static_cast<std::size_t>(spec.color.curve)];
    if (spec.color.curve == Curve::gamma) text += std::to_string(spec.color.gamma);
    if (shown->alpha_index() >= 0)
      text += !spec.color.alpha_covers   ? ", alpha apart"
              : spec.color.premultiplied ? ", premultiplied alpha"
                                         : ", straight alpha";
  }
  if (spec.layers.size() > 1) text += ", " + std::to_string(spec.layers.size()) + " layers";
  text += ", " + window_text(spec.data_window);
  if (spec.display_window != spec.data_window) text += " of " + window_text(spec.display_window);
  return text;
}

double Plan::cost_ns() const {
  double ns = 0;
  for (const PlannedStep& step : steps)
    ns += step.operation->plan().cost_ns *
          static_cast<double>(step.operation->output().data_window.pixels());
  return ns;
}

PlanState::PlanState(Spec input) : image(std::move(input)), home(image.color) {
  for (const LayerSpec& layer : image.layers) stored.push_back(layer.type);
  from_integers = std::ranges::any_of(stored, holds_codes);
}

void end_as_in_file(Plan& plan, const std::array<float, 3>& background, const StageContext& given) {
  StageContext context = given;
  context.home = plan.end.home;
  const Spec working = working_spec(plan.output(), layers_in_file(plan.output(), context), context);
  if (same_pixels(working, plan.output())) return;
  add_conversion(plan, working, every_layer(working), background, context.raw);
  plan.end.image = plan.output();
}

void end_in_one_form(Plan& plan, const std::array<float, 3>& background, bool raw) {
  const Spec target = in_one_form(plan.output(), std::vector(plan.output().layers.size(), true));
  if (same_pixels(target, plan.output())) return;
  add_conversion(plan, target, every_layer(target), background, raw);
  plan.end.image = plan.output();
}

Plan make_plan(const PlanState& start, const std::vector<BoundStage>& stages, const Codec* codec,
               std::optional<PixelType> type, const std::array<float, 3>& background,
               const StageContext& context) {
  Planner planner(start, background, context);
  if (stages.empty()) planner.take_named_layers();
  for (const BoundStage& stage : stages) planner.add(stage);
  return planner.finish(codec, type);
}

}  // namespace cuimg

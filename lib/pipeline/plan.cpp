// SPDX-License-Identifier: Apache-2.0
// Between two steps that disagree on how pixels lie the pipeline puts one conversion, and no other.
#include "pipeline/plan.h"

#include <numeric>

#include "stages/conversion.h"

namespace cuimg {
namespace {

// What a stage asks of each input layer: whether it wants it as light.
std::vector<bool> layers_wanted_linear(const Operation& operation, const Spec& input) {
  std::vector<bool> wanted(input.layers.size(), false);
  for (int i = 0; i < static_cast<int>(operation.output().layers.size()); ++i)
    if (operation.values(i) == Values::linear)
      wanted[static_cast<std::size_t>(operation.source_layer(i))] = true;
  return wanted;
}

std::vector<int> every_layer(const Spec& spec) {
  std::vector<int> indices(spec.layers.size());
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

std::string window_text(const Rect& r) {
  std::string text = std::to_string(r.width) + "x" + std::to_string(r.height);
  for (const int offset : {r.x, r.y}) text += (offset < 0 ? "" : "+") + std::to_string(offset);
  return text;
}

bool same_pixels(const Spec& a, const Spec& b) {
  return a.layers == b.layers && a.color == b.color && a.data_window == b.data_window;
}

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
    switch (spec.color.curve) {
      case Curve::linear:
        text += ", linear";
        break;
      case Curve::srgb:
        text += ", sRGB";
        break;
      case Curve::gamma:
        text += ", gamma " + std::to_string(spec.color.gamma);
        break;
      case Curve::raw:
        text += ", raw";
        break;
    }
    if (shown->alpha_index() >= 0)
      text += spec.color.premultiplied ? ", premultiplied alpha" : ", straight alpha";
  }
  if (spec.layers.size() > 1) text += ", " + std::to_string(spec.layers.size()) + " layers";
  text += ", " + window_text(spec.data_window);
  if (spec.display_window != spec.data_window) text += " of " + window_text(spec.display_window);
  return text;
}

double Plan::cost_ns() const {
  double ns = 0;
  for (const PlannedStep& step : steps)
    ns += step.operation->cost_ns() *
          static_cast<double>(step.operation->output().data_window.pixels());
  return ns;
}

Plan make_plan(const Spec& input, const std::vector<BoundStage>& stages, const Codec* codec,
               std::optional<PixelType> type, const std::array<float, 3>& background,
               const StageContext& context) {
  Plan plan;
  plan.input = input;
  plan.explanation.push_back("input: " + describe_pixels(input));
  std::vector<PixelType> stored;
  for (const LayerSpec& layer : input.layers) stored.push_back(layer.type);

  const auto convert = [&](const Spec& target, const std::vector<int>& sources) {
    const Spec& from = plan.output();
    plan.explanation.push_back("convert: to " + describe_pixels(target));
    plan.steps.push_back(
        {"convert", make_conversion(from, target, sources, background, context.raw)});
  };
  for (const BoundStage& stage : stages) {
    const Spec before = plan.output();
    std::unique_ptr<Operation> operation = stage.prepare(before, context);
    Spec working = working_spec(before, layers_wanted_linear(*operation, before), context.raw);
    if (operation->wants_display_window()) working.data_window = working.display_window;
    if (!same_pixels(working, before)) convert(working, every_layer(before));
    const Spec& after = operation->output();
    plan.explanation.push_back(stage.description->name + ": " + describe_pixels(after));
    for (const std::string& line : operation->explanation())
      plan.explanation.push_back(stage.description->name + ": " + line);
    std::vector<PixelType> stored_after;
    for (int i = 0; i < static_cast<int>(after.layers.size()); ++i)
      stored_after.push_back(stored[static_cast<std::size_t>(operation->source_layer(i))]);
    stored = std::move(stored_after);
    plan.steps.push_back({stage.description->name, std::move(operation)});
  }
  if (codec != nullptr) {
    const OutputChoice choice = choose_output(plan.output(), stored, *codec, type, context.raw);
    for (const std::string& line : choice.decisions) plan.explanation.push_back("output: " + line);
    if (!same_pixels(choice.spec, plan.output())) convert(choice.spec, choice.sources);
  }
  plan.explanation.push_back("output: " + describe_pixels(plan.output()));
  return plan;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "pipeline/execute/card_layout.h"

#include <algorithm>
#include <set>

#include "pipeline/execute/execute.h"
#include "stages/pass/stored_form.h"

namespace cuimg {
namespace {

// Whether the kernels before a conversion can perform it, because nothing else reads the floats
// that they write.
bool is_done_before(Steps steps, const Regions& regions, const LayerOfStep& wanted) {
  if (wanted.steps < 2) return false;
  const OperationPlan& conversion = operation(steps, wanted.steps - 1).plan();
  const LayerPlan& layer = conversion.layer(wanted.layer);
  if (!layer.encodes || regions[wanted.steps] != regions[wanted.steps - 1]) return false;
  const int from = layer.sources.front();
  const auto readers = std::ranges::count_if(
      conversion.layers, [&](const LayerPlan& l) { return l.sources.front() == from; });
  return readers == 1 && operation(steps, wanted.steps - 2).plan().layer(from).stores_stored_forms;
}

// The conversion to floats that makes a layer which the run reads; null if there is none.
const LayerPlan* conversion_before(Steps steps, const Regions& regions, const RunOnCard& run,
                                   int layer) {
  if (run.step == 0 || regions[run.step] != regions[run.step - 1]) return nullptr;
  const LayerPlan& before = operation(steps, run.step - 1).plan().layer(layer);
  return before.decodes != nullptr ? &before : nullptr;
}

// Whether the run's kernels can decode the form.
bool loads(const LayerPlan& plan, const StoredForm& form, const RunOnCard& run,
           const LayerOfStep& wanted) {
  if (plan.loads_stored_forms && plan.storage == Storage::pitched) return true;
  return plan.maps_srgb8_codes && wanted.storage == Storage::pitched && run.encoded != nullptr &&
         form.kind() == FormKind::srgb8 && run.encoded->kind() == FormKind::srgb8;
}

}  // namespace

Regions whole_windows(Steps steps, const Rect& source) {
  Regions regions = {source};
  for (const PlannedStep& step : steps) regions.push_back(step.operation->output().data_window);
  return regions;
}

RunOnCard run_on_card(Steps steps, const Regions& regions, const LayerOfStep& wanted) {
  RunOnCard run{wanted.steps - 1, wanted.layer, {}, {}, nullptr};
  if (is_done_before(steps, regions, wanted)) {
    const LayerPlan& conversion = operation(steps, run.step).plan().layer(run.layer);
    run = {run.step - 1, conversion.sources.front(), {}, {}, conversion.encodes};
  }
  const LayerPlan& plan = operation(steps, run.step).plan().layer(run.layer);
  for (const int layer : plan.sources) {
    const LayerPlan* const before = conversion_before(steps, regions, run, layer);
    const bool decodes = before != nullptr && loads(plan, *before->decodes, run, wanted);
    run.sources.push_back(decodes ? LayerOfStep{run.step - 1, before->sources.front()}
                                  : LayerOfStep{run.step, layer, plan.storage});
    run.decoded.push_back(decodes ? before->decodes : nullptr);
  }
  return run;
}

std::string name_of(Steps steps, const RunOnCard& run) {
  std::string name = steps[run.step].name;
  if (std::ranges::any_of(run.decoded, [](const auto& form) { return form != nullptr; }))
    name = steps[run.step - 1].name + " + " + name;
  if (run.encoded) name += " + " + steps[run.step + 1].name;
  return name;
}

const char* name_of(Storage storage) { return storage == Storage::array ? "an array" : "rows"; }

std::vector<std::string> layout_on_card(const Plan& plan) {
  const Steps steps(plan.steps);
  const Regions regions = whole_windows(steps, plan.input.data_window);
  std::set<LayerOfStep> all;
  const auto visit = [&](const auto& self, const LayerOfStep& wanted) -> void {
    if (!all.insert(wanted).second || wanted.steps == 0) return;
    for (const LayerOfStep& source : run_on_card(steps, regions, wanted).sources)
      self(self, source);
  };
  for (int layer = 0; layer < plan.output().layer_count(); ++layer)
    visit(visit, {steps.size(), layer});
  std::vector<std::string> lines;
  std::set<std::string> known;
  for (const LayerOfStep& made : all) {
    const std::string name =
        made.steps == 0 ? "input" : name_of(steps, run_on_card(steps, regions, made));
    const std::string line = "card: " + name + ": into " + name_of(made.storage);
    if (known.insert(std::to_string(made.steps) + line).second) lines.push_back(line);
  }
  return lines;
}

}  // namespace cuimg

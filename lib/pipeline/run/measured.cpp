// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/measured.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "pipeline/execute/execute.h"
#include "pipeline/layers.h"
#include "pipeline/plan.h"
#include "stages/pass/color_stage.h"

namespace cuimg {
namespace {

bool waits(const BoundStage& stage) { return stage.description->measure && !stage.is_measured; }

// A stage that changes nothing, but requires the form of values that the measuring pass needs.
StageDescription looking(const StageDescription& measuring) {
  StageDescription description =
      describe<NoOptions>(measuring.name, "", Kind::filter)
          .prepare([values = measuring.measured_values](const NoOptions&, const Spec& input,
                                                        const StageContext& context) {
            return make_color_operation(input, context, values,
                                        [](const LayerSpec&) { return ColorChange{}; });
          });
  description.touches_color = measuring.touches_color;
  return description;
}

}  // namespace

bool has_unmeasured(Chain stages) { return std::ranges::any_of(stages, waits); }

std::vector<std::string> unmeasured_stages(Chain stages) {
  std::vector<std::string> names;
  for (const BoundStage& stage : stages)
    if (waits(stage)) names.push_back(stage.description->name);
  return names;
}

std::vector<BoundStage> measured(std::vector<BoundStage> stages, const Spec& input,
                                 const StageContext& context, const Measuring& how) {
  std::shared_ptr<const Image> source;
  const Queue queue = Queue::cpu(how.threads);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (!waits(stages[i])) continue;
    const StageDescription& description = *stages[i].description;
    const StageDescription look = looking(description);
    std::vector<BoundStage> before(stages.begin(), stages.begin() + static_cast<std::ptrdiff_t>(i));
    if (description.measured_values != Values::stored) before.push_back(bind(look, NoOptions{}));
    const Plan plan = [&] {
      try {
        Plan made = make_plan(input, before, nullptr, std::nullopt, how.background, context);
        if (description.measured_values == Values::stored)
          end_as_in_file(made, how.background, context);
        return made;
      } catch (const NoLayer& error) {
        // The chain of the measuring pass ends here.
        if (error.stage.description == &look) throw NoLayer(stages[i], error.layers);
        throw;
      }
    }();
    if (how.check) how.check(plan, description.name);
    if (!source) source = how.read();
    const std::optional<Image> made =
        plan.steps.empty() ? std::nullopt : std::optional(execute(plan, queue, *source));
    stages[i].parameters = description.measure(stages[i].parameters.get(), made ? *made : *source,
                                               {queue, {plan.end.chosen}});
    stages[i].is_measured = true;
  }
  return stages;
}

}  // namespace cuimg

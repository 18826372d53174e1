// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/halved_levels.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/float_environment.h"
#include "pipeline/execute/execute.h"
#include "pipeline/plan.h"
#include "stages/geometry/resize.h"
#include "stages/registry.h"

namespace cuimg {

BoundStage halving(const Rect& window, const MipLevels& levels) {
  Resize resize;
  resize.size = pixels(std::max(1, window.width / 2), std::max(1, window.height / 2));
  resize.filter = choice_named<ResizeFilter>(levels.filter);
  resize.border = choice_named<Border>(levels.border);
  return bind(*find_stage("resize"), resize);
}

std::function<Image(LevelId, const Image& finer)> halved_levels(const MipLevels& levels,
                                                                const Codec& codec, Queue queue,
                                                                bool raw) {
  halving({0, 0, 1, 1}, levels);  // so that wrong names are an error now
  const auto shared = std::make_shared<const Queue>(std::move(queue));
  return [levels, codec, shared, raw](LevelId, const Image& finer) {
    const FloatEnvironment environment;
    Spec input = finer.spec();
    input.display_window = input.data_window;  // the whole data window is halved
    StageContext context;
    context.raw = raw;
    const Plan plan = make_plan(input, {halving(input.data_window, levels)}, &codec, std::nullopt,
                                {0, 0, 0}, context);
    return execute(plan, *shared, finer);
  };
}

}  // namespace cuimg

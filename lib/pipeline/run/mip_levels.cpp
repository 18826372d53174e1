// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/mip_levels.h"

#include <algorithm>

#include "pipeline/bound_stage.h"
#include "stages/geometry/resize.h"
#include "stages/registry.h"

namespace cuimg {
namespace {

BoundStage halving(const Rect& window, const MipLevels& levels) {
  Resize resize;
  resize.size = pixels(std::max(1, window.width / 2), std::max(1, window.height / 2));
  resize.filter = choice_named<ResizeFilter>(levels.filter);
  resize.border = choice_named<Border>(levels.border);
  return bind(*find_stage("resize"), resize);
}

}  // namespace

Image next_mip_level(const Image& finer, const MipLevels& levels, const Codec& codec,
                     const ExecutionContext& execution, RunReport& report) {
  const CommonOptions& common = execution.common;
  Spec input = finer.spec();
  input.display_window = input.data_window;  // the whole data window is halved
  StageContext context;
  context.raw = common.raw;
  context.refuses_nearest_mattes = common.cryptomatte == MatteChoice::refuse;
  Plan plan = make_plan(input, {halving(input.data_window, levels)}, &codec, std::nullopt,
                        {0, 0, 0}, context);
  choose_device(plan, execution);
  Image coarser(plan.output());
  RowProgress ready, done;
  ready.finish();
  execute_where_asked(plan, execution, {finer, ready, coarser, done}, report);
  return coarser;
}

}  // namespace cuimg

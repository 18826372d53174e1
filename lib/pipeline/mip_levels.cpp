// SPDX-License-Identifier: Apache-2.0
#include "pipeline/mip_levels.h"

#include <algorithm>

namespace cuimg {
namespace {

BoundStage halving(const Rect& window, const MipLevels& levels) {
  const StageDescription& resize = *find_stage("resize");
  const std::shared_ptr<void> values = resize.make();
  const auto set = [&](const char* name, const std::string& text) {
    resize.find(name)->set(values.get(), text, "mip");
  };
  set("size", format_value(pixels(std::max(1, window.width / 2), std::max(1, window.height / 2))));
  set("filter", levels.filter);
  set("border", levels.border);
  return {&resize, values};
}

}  // namespace

Image next_mip_level(const Image& finer, const MipLevels& levels, const Codec& codec, bool raw,
                     const Carry& carry) {
  Spec input = finer.spec();
  input.display_window = input.data_window;  // all that there are is halved
  StageContext context;
  context.raw = raw;
  const Plan plan = make_plan(input, {halving(input.data_window, levels)}, &codec, std::nullopt,
                              {0, 0, 0}, context);
  Image coarser(plan.output());
  carry(plan, finer, coarser);
  return coarser;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The table of stages, made from the list.
#include "stages/registry.h"

#include <deque>
#include <vector>

namespace cuimg {

#define FAMILY(name)
#define STAGE(name) StageDescription name##_stage();
#include "stages/stage_list.inc"
#undef FAMILY
#undef STAGE

std::span<const StageFamily> stage_families() {
  static std::deque<StageDescription> descriptions;  // their addresses do not change
  static const std::vector<StageFamily> families = [] {
    std::vector<StageFamily> all;
#define FAMILY(name) all.push_back({name, {}});
#define STAGE(name) all.back().stages.push_back(&descriptions.emplace_back(name##_stage()));
#include "stages/stage_list.inc"
#undef FAMILY
#undef STAGE
    return all;
  }();
  return families;
}

std::span<const StageDescription* const> stages() {
  static const std::vector<const StageDescription*> all = [] {
    std::vector<const StageDescription*> list;
    for (const StageFamily& family : stage_families())
      list.insert(list.end(), family.stages.begin(), family.stages.end());
    return list;
  }();
  return all;
}

std::string_view family_of(const StageDescription& stage) {
  for (const StageFamily& family : stage_families())
    for (const StageDescription* const member : family.stages)
      if (member->name == stage.name) return family.name;
  return {};
}

const StageDescription* find_stage(std::string_view name) {
  for (const StageDescription* stage : stages())
    if (stage->name == name) return stage;
  return nullptr;
}

}  // namespace cuimg

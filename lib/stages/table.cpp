// SPDX-License-Identifier: Apache-2.0
// The list of stages: a new one is one line here.
#include "stages/table.h"

#include <vector>

namespace cuimg {

const StageDescription& resize_stage();
const StageDescription& remap_stage();

std::span<const StageDescription* const> stages() {
  static const std::vector<const StageDescription*> table = {
      &resize_stage(),
      &remap_stage(),
  };
  return table;
}

const StageDescription* find_stage(std::string_view name) {
  for (const StageDescription* stage : stages())
    if (stage->name == name) return stage;
  return nullptr;
}

}  // namespace cuimg

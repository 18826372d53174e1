// SPDX-License-Identifier: Apache-2.0
// The table of all stages.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "stages/description.h"

namespace cuimg {

/// Stages with a similar use, under a heading.
struct StageFamily {
  std::string_view name;
  std::vector<const StageDescription*> stages;
};

/// In the order in which help lists them.
std::span<const StageFamily> stage_families();
/// The name of the stage's family; empty for a stage that is not in the table.
std::string_view family_of(const StageDescription& stage);
/// All stages, family by family.
std::span<const StageDescription* const> stages();
/// @returns the stage of that name, or null.
const StageDescription* find_stage(std::string_view name);

}  // namespace cuimg

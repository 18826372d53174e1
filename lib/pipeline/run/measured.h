// SPDX-License-Identifier: Apache-2.0
// Stages that depend on all pixels: the stages before each are executed and their result is
// measured, so that a plan can be made.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "image/image.h"
#include "pipeline/bound_stage.h"

namespace cuimg {

struct Plan;

/// The source of a measuring pass's pixels, and its resources.
struct Measuring {
  /// Reads the input; called once, and only if a stage measures.
  std::function<std::shared_ptr<const Image>()> read;
  /// Called before the plan for a measuring pass is executed; throws Error.
  std::function<void(const Plan&, const std::string& stage)> check = {};
  std::array<float, 3> background = {0, 0, 0};
  int threads = 0;
};

/// Whether a stage of the chain has yet to be measured.
bool has_unmeasured(Chain stages);
/// The names of those stages.
std::vector<std::string> unmeasured_stages(Chain stages);

/// The same stages with the parameters that their measuring passes determined. The CPU measures, so
/// that every device continues from the same values. The input's pixels are kept during that time
/// and then freed.
/// @param input of the first stage. @throws Error.
std::vector<BoundStage> measured(std::vector<BoundStage> stages, const Spec& input,
                                 const StageContext& context, const Measuring& how);

}  // namespace cuimg

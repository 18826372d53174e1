// SPDX-License-Identifier: Apache-2.0
// A plan: the operations that take one image from its file's form to another's.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/grammar.h"
#include "pipeline/output_spec.h"
#include "stages/stage.h"

namespace cuimg {

struct PlannedStep {
  std::string name;  ///< "resize", or "convert" for what the pipeline put in by itself.
  std::unique_ptr<Operation> operation;

  /// Whether it reads all over its input, which is then made first, all of it.
  bool wants_whole_input() const {
    return operation->plan().reads_scattered || operation->plan().runs_whole;
  }
};

struct Plan {
  Spec input;
  std::vector<PlannedStep> steps;
  std::vector<std::string> explanation;
  std::vector<std::string> warnings;  ///< What is lost that nobody asked to lose.
  /// For each layer after the last stage whether --layers allows it; empty: all.
  std::vector<bool> chosen;

  /// The image after the last step.
  const Spec& output() const { return steps.empty() ? input : steps.back().operation->output(); }
  /// Estimated nanoseconds of one CPU core for all of it.
  double cost_ns() const;
};

/// @param codec what the result is for, or null to leave it as the last stage does.
/// @throws Error where parameters and image do not fit.
Plan make_plan(const Spec& input, const std::vector<BoundStage>& stages, const Codec* codec,
               std::optional<PixelType> type, const std::array<float, 3>& background,
               const StageContext& context);

/// "float RGB, linear, premultiplied": how the first colour layer lies, for --explain.
std::string describe_pixels(const Spec& spec);

}  // namespace cuimg

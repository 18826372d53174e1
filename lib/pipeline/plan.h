// SPDX-License-Identifier: Apache-2.0
// A plan: the operations that turn an image from its input file's form to that of its output.
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

  /// Whether it may read the whole input, which is then made completely before it.
  bool wants_whole_input() const {
    return operation->plan().reads_scattered || operation->plan().runs_whole;
  }
};

/// An image between two stages, with the facts about its input that later steps need.
struct PlanState {
  Spec image;
  std::vector<PixelType> stored;  ///< Types that its layers had before stages made them float.
  /// For each layer whether --layers allows it; empty: nothing was chosen yet.
  std::vector<bool> chosen;
  ColorEncoding home;          ///< How the input's file encodes colour.
  bool from_integers = false;  ///< The input holds integers.

  PlanState() = default;
  /// Before the first stage.
  explicit PlanState(Spec input);
};

struct Plan {
  Spec input;
  std::vector<PlannedStep> steps;
  std::vector<std::string> explanation;
  std::vector<std::string> warnings;  ///< Losses that no option asked for.
  std::vector<std::string> notes;     ///< See OutputChoice.
  /// For --device auto, decided once by choose_device(): whether a card runs it, if there is one.
  bool takes_card = false;
  PlanState end;  ///< After the last stage, before the conversion to an output.

  /// The image after the last step.
  const Spec& output() const { return steps.empty() ? input : steps.back().operation->output(); }
  /// Estimated nanoseconds of one CPU core for all of it.
  double cost_ns() const;
};

/// @param start a Spec: an input's, before any stage. Else where another plan ended, which this one
/// goes on from; both give the bytes that one plan over all the stages gives.
/// @param codec what the result is for, or null to leave it as the last stage does.
/// @throws Error where parameters and image do not fit.
Plan make_plan(const PlanState& start, const std::vector<BoundStage>& stages, const Codec* codec,
               std::optional<PixelType> type, const std::array<float, 3>& background,
               const StageContext& context);
inline Plan make_plan(const Spec& input, const std::vector<BoundStage>& stages, const Codec* codec,
                      std::optional<PixelType> type, const std::array<float, 3>& background,
                      const StageContext& context) {
  return make_plan(PlanState(input), stages, codec, type, background, context);
}

/// Adds a conversion at the end, if necessary, so that values have the form of the input's file;
/// see values_in_file().
void end_as_in_file(Plan& plan, const std::array<float, 3>& background,
                    const StageContext& context);

/// "float RGB, linear, premultiplied": how the first colour layer lies, for --explain.
std::string describe_pixels(const Spec& spec);

}  // namespace cuimg

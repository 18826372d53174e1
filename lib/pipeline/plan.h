// SPDX-License-Identifier: Apache-2.0
// A plan: the operations that convert an image from the form of its input file to that of its
// output.
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
  std::string name;  ///< "resize", or "convert" for an operation that the pipeline inserted.
  std::unique_ptr<Operation> operation;

  /// Whether it may read the whole input, which is then completed before it.
  bool wants_whole_input() const {
    return operation->plan().reads_scattered || operation->plan().runs_whole;
  }
};

/// An image between two stages, with the facts about its input that later steps need.
struct PlanState {
  Spec image;
  std::vector<PixelType> stored;  ///< Types that its layers had before stages made them float.
  /// Whether --layers allows each layer; empty: nothing was chosen yet.
  std::vector<bool> chosen;
  ColorEncoding home;          ///< How the input's file encodes colour.
  bool from_integers = false;  ///< Whether the input stores integers.
  bool keeps_values = true;    ///< Whether stages have only moved the input's stored pixels.
  std::string needs_floats;    ///< See OperationPlan.

  PlanState() = default;
  /// The state before the first stage.
  explicit PlanState(Spec input);
};

struct Plan {
  Spec input;
  std::vector<PlannedStep> steps;
  std::vector<std::string> explanation;
  std::vector<std::string> warnings;  ///< Losses that no option requested.
  std::vector<std::string> notes;     ///< See OutputChoice.
  /// For --device auto, decided once by choose_device(): whether a card runs it, if there is one.
  bool takes_card = false;
  PlanState end;  ///< The state after the last stage, before the conversion to an output.

  /// The image after the last step.
  const Spec& output() const { return steps.empty() ? input : steps.back().operation->output(); }
  /// Estimated total time in nanoseconds of one CPU core.
  double cost_ns() const;
};

/// @param start a Spec: an input's, before any stage. Otherwise the end of another plan, which this
/// one continues; the bytes are the same as with one plan over all the stages.
/// @param codec the format of the result, or null to leave it as the last stage does.
/// @throws Error if parameters and image do not fit.
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

/// Adds a conversion at the end, if necessary, so that all layers have the image's encoding.
void end_in_one_form(Plan& plan, const std::array<float, 3>& background, bool raw);

/// "float RGB, linear, premultiplied": the form of the first colour layer, for --explain.
std::string describe_pixels(const Spec& spec);

}  // namespace cuimg

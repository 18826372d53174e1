// SPDX-License-Identifier: Apache-2.0
// Decides how a card makes a layer from several steps: which steps' kernels run, what they read,
// and which conversions they include.
#pragma once

#include <compare>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/execute/planned_steps.h"

namespace cuimg {

/// How each image is stored: the source, and the result of each step.
using Regions = std::vector<Rect>;
/// All of each. @param source the image's data window.
Regions whole_windows(Steps steps, const Rect& source);

/// A layer of what the first steps make, and where a card holds it.
struct LayerOfStep {
  std::size_t steps;  ///< How many of them; none: the image itself.
  int layer;
  Storage storage = Storage::pitched;
  friend auto operator<=>(const LayerOfStep&, const LayerOfStep&) = default;
};

/// One run of an operation on a card.
struct RunOnCard {
  std::size_t step;  ///< Whose operation it is.
  int layer;         ///< Of that operation's output.
  /// What it reads; a step writes into whatever its reader reads.
  std::vector<LayerOfStep> sources;
  /// For each source the form that it is stored in, where the kernels decode it: the conversion's
  /// step is then no run of its own. Else null.
  std::vector<std::shared_ptr<const StoredForm>> decoded;
  /// The form that the kernels encode, in place of the step after this one; else null.
  std::shared_ptr<const StoredForm> encoded;
};

/// How a layer is made that is not the image's.
RunOnCard run_on_card(Steps steps, const Regions& regions, const LayerOfStep& wanted);

/// The steps that a run does, for --timing and --explain: "convert + blur".
std::string name_of(Steps steps, const RunOnCard& run);
const char* name_of(Storage storage);

}  // namespace cuimg

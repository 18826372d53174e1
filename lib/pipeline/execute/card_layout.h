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

/// The region that is stored of each image: of the source, and of the result of each step.
using Regions = std::vector<Rect>;
/// The whole window of each. @param source the image's data window.
Regions whole_windows(Steps steps, const Rect& source);

/// A layer of the first steps' result.
struct LayerOfStep {
  std::size_t steps;  ///< The number of these steps; 0: the image itself.
  int layer;
  Storage storage = Storage::pitched;
  friend auto operator<=>(const LayerOfStep&, const LayerOfStep&) = default;
};

/// One run of an operation on a card.
struct RunOnCard {
  std::size_t step;  ///< The index of the step that owns the operation.
  int layer;         ///< A layer of that operation's output.
  /// The layers that it reads; a step writes in the kind of memory that its reader needs.
  std::vector<LayerOfStep> sources;
  /// For each source the stored form that the kernels decode, in which case the conversion is not a
  /// separate run. Otherwise null.
  std::vector<std::shared_ptr<const StoredForm>> decoded;
  /// The form that the kernels encode, instead of the next step; otherwise null.
  std::shared_ptr<const StoredForm> encoded;
};

/// How a layer is made that is not the image's own.
RunOnCard run_on_card(Steps steps, const Regions& regions, const LayerOfStep& wanted);

/// The steps that a run performs, for --timing and --explain: "convert + blur".
std::string name_of(Steps steps, const RunOnCard& run);
const char* name_of(Storage storage);

}  // namespace cuimg

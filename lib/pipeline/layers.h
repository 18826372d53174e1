// SPDX-License-Identifier: Apache-2.0
// The layers that a stage changes, and what happens to the others.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "pipeline/grammar.h"

namespace cuimg {

/// Thrown if an image has no layer on which a stage could work. With several parts, such a part is
/// left alone.
class NoLayer : public Error {
 public:
  /// @param layers that there are.
  NoLayer(const BoundStage& without, const std::string& layers);
  BoundStage stage;
  std::string layers;
};

/// That --layers names one which an image lacks.
class UnknownLayer : public Error {
 public:
  UnknownLayer(const std::string& layer, const std::string& problem, const std::string& advice)
      : Error("--layers " + (layer.empty() ? "''" : layer), problem, advice), layer(layer) {}
  std::string layer;
};

/// For each layer of `spec` whether `wanted` names it, as names_layer() has it; all for an empty
/// list.
/// @throws UnknownLayer with the layers that there are.
std::vector<bool> layers_named(const Spec& spec, const std::vector<std::string>& wanted);

/// For --in-place: what replaces a file holds the layers that --layers does not name.
/// @throws Error with those that `written` lacks.
void check_keeps_other_layers(const Spec& input, const std::vector<std::string>& named,
                              const Spec& written, const std::string& source);

/// The stage as an operation on all of `input` that touches some layers. The others keep their
/// pixels, and their place: the data window, which all share, holds those of both. Where the
/// stage's picture has another frame they have no place in it and are dropped.
/// @param chosen for each layer whether --layers allows it.
/// @throws Error when no layer is left to touch, or the values do not fit.
std::unique_ptr<Operation> prepare_on_layers(const BoundStage& stage, const Spec& input,
                                             const std::vector<bool>& chosen,
                                             const StageContext& context);

}  // namespace cuimg

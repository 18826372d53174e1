// SPDX-License-Identifier: Apache-2.0
// The layers that a stage changes, and the treatment of the others.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "pipeline/grammar.h"

namespace cuimg {

/// Thrown if an image has no layer that a stage could process. If there are several parts, such a
/// part is not changed.
class NoLayer : public Error {
 public:
  /// @param layers the available ones.
  NoLayer(const BoundStage& without, const std::string& layers);
  BoundStage stage;
  std::string layers;
};

/// Thrown if --layers names a layer that an image lacks.
class UnknownLayer : public Error {
 public:
  UnknownLayer(const std::string& layer, const std::string& problem, const std::string& advice)
      : Error("--layers " + (layer.empty() ? "''" : layer), problem, advice), layer(layer) {}
  std::string layer;
};

/// Whether `wanted` names each layer of `spec`, as in names_layer(); true for all if the list is
/// empty.
/// @throws UnknownLayer with the available layers.
std::vector<bool> layers_named(const Spec& spec, const std::vector<std::string>& wanted);

/// For --in-place: a file's replacement must contain the layers that --layers does not name.
/// @throws Error with the layers that `written` lacks.
void check_keeps_other_layers(const Spec& input, const std::vector<std::string>& named,
                              const Spec& written, const std::string& source);

/// For each layer whether the stage changes it. @param chosen whether --layers allows it.
std::vector<bool> touched_layers(const BoundStage& stage, const Spec& input,
                                 const std::vector<bool>& chosen, const StageContext& context);

/// The stage as an operation on all of `input` that changes some layers. The others keep their
/// pixels and position: the data window, which all share, contains those of both. If the stage's
/// picture has another frame, they have no position in it and are dropped.
/// @param chosen for each layer whether --layers allows it.
/// @throws Error if no layer can be changed, or if the values do not suit the input.
std::unique_ptr<Operation> prepare_on_layers(const BoundStage& stage, const Spec& input,
                                             const std::vector<bool>& chosen,
                                             const StageContext& context);

}  // namespace cuimg

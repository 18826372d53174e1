// SPDX-License-Identifier: Apache-2.0
// Which layers a stage touches, and what becomes of the others.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pipeline/grammar.h"

namespace cuimg {

/// For each layer of `spec` whether `wanted` names it by its layer_label(); all for an empty list.
/// @throws Error with the layers that there are.
std::vector<bool> layers_named(const Spec& spec, const std::vector<std::string>& wanted);

/// The stage as an operation on all of `input` that touches some layers. The others keep their
/// pixels, and their place; where the stage's picture has another frame they have none in it and
/// are dropped.
/// @param chosen for each layer whether --layers allows it.
/// @throws Error when no layer is left to touch, or the values do not fit.
std::unique_ptr<Operation> prepare_on_layers(const BoundStage& stage, const Spec& input,
                                             const std::vector<bool>& chosen,
                                             const StageContext& context);

}  // namespace cuimg

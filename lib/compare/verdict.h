// SPDX-License-Identifier: Apache-2.0
// Derives reasons from a layer's figures and the limits. Every rule is `!(error <= limit)`, so NaN
// never passes.
#pragma once

#include <optional>

#include "compare/comparison.h"
#include "compare/limits.h"

namespace cuimg {

/// Adds exceeded limits of a layer to the reasons, and to the warnings.
/// @param density the largest share of failing pixels, in percent, if there is a limit for it.
/// @param is_hdr whether limits of FLIP apply to HDR-FLIP.
void judge_layer(const LayerComparison& layer, const Limits& limits, std::optional<double> density,
                 bool is_hdr, Comparison& comparison);

/// `differs` if there is a reason, except for errors.
void decide(Comparison& comparison);

/// The metrics that the limits require, by name.
std::vector<std::string> metrics_of_limits(const Limits& limits, bool is_hdr);

}  // namespace cuimg

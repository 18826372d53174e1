// SPDX-License-Identifier: Apache-2.0
// Prints a comparison as text for people and as a JSON object for programs.
#pragma once

#include <string>

#include "base/json.h"
#include "compare/comparison.h"

namespace cuimg {

/// The verdict with the names, followed by reasons, warnings and figures.
/// @param figures whether metrics are also printed for pairs that are the same.
std::string comparison_text(const Comparison& comparison, bool figures);

/// `golden`, `result`, `verdict`, `reasons`, `metrics` and so on; docs/COMPARE.md lists every
/// member. Undefined values, and the infinite PSNR of equal pictures, are null.
Json comparison_json(const Comparison& comparison);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Prints a comparison as text for people and as a JSON object for programs.
#pragma once

#include <string>

#include "base/json.h"
#include "compare/comparison.h"

namespace cuimg {

/// The verdict with the names, and below it reasons, warnings and figures.
/// @param figures whether metrics are printed of pairs that are the same, too.
std::string comparison_text(const Comparison& comparison, bool figures);

/// `golden`, `result`, `verdict`, `reasons`, `metrics` and so on; docs/COMPARE.md names every
/// member. What is not defined, and the infinite PSNR of equal pictures, is null.
Json comparison_json(const Comparison& comparison);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Limits of `cuimg compare` that change nothing without another are refused.
#pragma once

#include <vector>

#include "compare/limits.h"
#include "compare/trees/rule_file.h"

namespace cuimg {

/// @param limits of the command line. @param rules of the golden folder, which may give the other.
/// @throws Error that names the option.
void refuse_idle_limits(const Limits& limits, const std::vector<CompareRule>& rules);

}  // namespace cuimg

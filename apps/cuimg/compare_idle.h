// SPDX-License-Identifier: Apache-2.0
// Limits of `cuimg compare` that change nothing without another are refused.
#pragma once

#include <span>
#include <string>

#include "compare/limits.h"
#include "options/path_filter.h"

namespace cuimg {

/// @param limits of the command line. @param folders golden and result, where a rule may give the
/// other limit; none: files are compared. @throws Error that names the option.
void refuse_idle_limits(const Limits& limits, std::span<const std::string> folders);

/// @throws Error for patterns of pictures, where two files are compared.
void refuse_idle_patterns(const PathFilter& files);

}  // namespace cuimg

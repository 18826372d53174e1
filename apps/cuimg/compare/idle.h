// SPDX-License-Identifier: Apache-2.0
// Refuses options of `cuimg compare` that have no effect without, or with, another option.
#pragma once

#include <span>
#include <string>

#include "compare/limits.h"
#include "compare/trees/tree_pairs.h"
#include "reports.h"

namespace cuimg {

/// @param limits of the command line. @param folders golden and result, where a rule may give the
/// other limit; empty: files are compared. @throws Error that names the option.
void refuse_idle_limits(const Limits& limits, std::span<const std::string> folders);

/// @throws Error for options that select and pair pictures in folders, if no folders are compared.
void refuse_idle_matching(const PathFilter& files, MatchBy by);

/// @throws Error that names an option that --from or --history, which compare nothing, would
/// ignore.
void refuse_options_of_comparing(const Compare& given, const CommonOptions& common);

}  // namespace cuimg

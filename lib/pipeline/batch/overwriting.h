// SPDX-License-Identifier: Apache-2.0
// Makes sure that no command replaces a file that it also reads, unless this is requested.
#pragma once

#include <vector>

#include "pipeline/grammar.h"
#include "pipeline/run/run.h"

namespace cuimg {

/// @throws Error if a job's output, a report's file or the file of --trace is, by any name, an
/// input of any job or a file that a stage reads; and if a report's file is also an output. With
/// --in-place an input may be its own output.
void check_overwriting(const std::vector<Job>& jobs, const Invocation& invocation);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// No command replaces a file that it also reads, unless it is asked to.
#pragma once

#include <vector>

#include "pipeline/grammar.h"
#include "pipeline/run/run.h"

namespace cuimg {

/// @throws Error where a job's output, a file that a report writes or that of --trace is an input
/// of any job, or a file that a stage reads, under whatever name; and where what a report writes is
/// an output too. With --in-place an input may be its own output.
void check_overwriting(const std::vector<Job>& jobs, const Invocation& invocation);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Processes many images, one by one or several at a time.
#pragma once

#include <functional>

#include "pipeline/batch/shard.h"
#include "pipeline/grammar.h"
#include "pipeline/run/run.h"

namespace cuimg {

/// run_image(), or its replacement in tests.
using RunOne =
    std::function<RunReport(const Invocation& invocation, const Job& job, SharedByImages& shared)>;

/// Runs a whole command line: plans, takes this process's share, runs the jobs and prints reports.
/// An error in one image does not stop the others, except with --fail-fast.
/// @returns the exit code: 0; 1 if --device both found a difference; 2 after an error.
/// @throws Error if planning fails.
int run_invocation(const Invocation& invocation, const RunOne& run,
                   const Environment& environment = process_environment());

}  // namespace cuimg

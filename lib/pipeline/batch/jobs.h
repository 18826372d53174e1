// SPDX-License-Identifier: Apache-2.0
// Many images: which file becomes which, and doing them one by one or several at a time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pipeline/batch/shard.h"
#include "pipeline/grammar.h"
#include "pipeline/run.h"

namespace cuimg {

/// Folders opened, patterns filled in; sorted by the inputs' bytes; before any work is done.
/// @throws Error: two inputs with one output, an output that is another job's input, a folder
/// without images, a pattern or an output format that is unknown.
std::vector<Job> plan_jobs(const Invocation& invocation);

/// A pattern such as `half/{stem}_s.{ext}` filled in. `{{` is a brace.
/// @param folder the input's folder below the one that was named, for {dir}; "" outside of one.
/// @param format as --format has it; its extension is {ext} then. @throws Error.
std::string fill_pattern(const std::string& pattern, const std::string& input,
                         const std::string& folder, std::size_t index, const std::string& format);

/// run_image(), or what a test has in its place.
using RunOne = std::function<RunReport(const std::vector<BoundStage>& stages, const Job& job,
                                       const CommonOptions& common, RunCache& shared)>;

/// Runs a whole command line: plans, takes this process's share, runs the jobs and prints reports.
/// One image's error does not stop the others, unless --fail-fast.
/// @returns the exit code: 0; 1 when --device both found a difference; 2 after an error.
/// @throws Error when the plan fails.
int run_invocation(const Invocation& invocation, const RunOne& run,
                   const Environment& environment = process_environment());

}  // namespace cuimg

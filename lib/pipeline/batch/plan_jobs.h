// SPDX-License-Identifier: Apache-2.0
// Determines which input file becomes which output file.
#pragma once

#include <vector>

#include "pipeline/batch/inputs.h"
#include "pipeline/grammar.h"
#include "pipeline/run/run.h"

namespace cuimg {

/// Folders and sequences opened, patterns filled in; sorted by the inputs' bytes; before any work
/// is done.
/// @throws Error: two inputs with one output, an output that is another job's input, a folder
/// without images, a pattern or an output format that is unknown.
/// @param remarks gets what there is to say of folders that were left out.
std::vector<Job> plan_jobs(const Invocation& invocation, Remarks& remarks);
std::vector<Job> plan_jobs(const Invocation& invocation);

}  // namespace cuimg

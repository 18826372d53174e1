// SPDX-License-Identifier: Apache-2.0
// Determines which input file becomes which output file.
#pragma once

#include <vector>

#include "pipeline/batch/inputs.h"
#include "pipeline/grammar.h"
#include "pipeline/run/run.h"

namespace cuimg {

/// Opens folders and sequences and fills in patterns, before any work is done; the jobs are sorted
/// by the bytes of the inputs' names.
/// @throws Error for two inputs with one output, an output that is another job's input, a folder
/// without images, and an unknown pattern or output format.
/// @param remarks gets messages about folders that were left out.
std::vector<Job> plan_jobs(const Invocation& invocation, Remarks& remarks);
std::vector<Job> plan_jobs(const Invocation& invocation);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The files that a report writes in addition to its output, known before any image is read.
#pragma once

#include <string>
#include <vector>

#include "pipeline/grammar.h"
#include "pipeline/run/run.h"

namespace cuimg {

/// The files of a job whose chain ends in a sink that writes files; empty for all others. A file is
/// only opened to list its parts if the name depends on them.
/// @param alone whether there are no other jobs. @throws Error for a name that the sink refuses.
std::vector<std::string> files_of_sink(const Invocation& invocation, const Job& job, bool alone);

/// "histogram: --plot NAME", for errors. @param invocation of a chain with such a sink.
std::string place_of_sink_file(const Invocation& invocation, const std::string& name);

}  // namespace cuimg

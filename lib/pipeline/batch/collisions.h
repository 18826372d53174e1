// SPDX-License-Identifier: Apache-2.0
// Refuses two outputs with the same name before any work is done.
#pragma once

#include <vector>

#include "pipeline/batch/inputs.h"
#include "pipeline/run/run.h"

namespace cuimg {

/// @param inputs of the jobs, in their order. @throws Error with a pattern that would work.
void check_collisions(const std::vector<Job>& jobs, const std::vector<Input>& inputs,
                      const Invocation& invocation);

}  // namespace cuimg

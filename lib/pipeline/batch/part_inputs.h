// SPDX-License-Identifier: Apache-2.0
// If outputs are named after parts, each part of a file becomes a separate output.
#pragma once

#include <vector>

#include "pipeline/batch/inputs.h"

namespace cuimg {

/// The inputs, repeated for each part that --part selects if a pattern of the command contains
/// {part}; otherwise unchanged. Headers are read for this. A file that cannot be opened remains one
/// input, which fails separately. @throws Error for a pipe, and with --in-place.
std::vector<Input> inputs_by_part(std::vector<Input> inputs, const Invocation& invocation);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// If outputs are named after parts, each part of a file becomes a separate output.
#pragma once

#include <vector>

#include "pipeline/batch/inputs.h"

namespace cuimg {

/// The inputs, each as often as --part takes parts of it, where a pattern of the command names
/// {part}; else as they are. Headers are read for it. A file that cannot be opened stays one input,
/// which fails by itself. @throws Error for a pipe, and with --in-place.
std::vector<Input> inputs_by_part(std::vector<Input> inputs, const Invocation& invocation);

}  // namespace cuimg

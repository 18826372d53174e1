// SPDX-License-Identifier: Apache-2.0
// The limit on files that a process has open (`ulimit -n`).
#pragma once

#include <cstddef>

namespace cuimg {

/// The number of files that the process may open in addition to those that are open.
std::size_t files_left_to_open();

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The limit on files that a process has open (`ulimit -n`).
#pragma once

#include <cstddef>

namespace cuimg {

/// How many files the process may open besides those that it has open.
std::size_t files_left_to_open();

}  // namespace cuimg

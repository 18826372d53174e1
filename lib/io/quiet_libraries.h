// SPDX-License-Identifier: Apache-2.0
// Silences libraries that print to standard error themselves.
#pragma once

namespace cuimg {

/// For a program, which prints errors itself: libtiff has a handler of its own for what it says
/// without naming a file, and it is the whole process's.
void quieten_libtiff();

}  // namespace cuimg

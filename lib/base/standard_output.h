// SPDX-License-Identifier: Apache-2.0
// Printing to standard output; write errors are reported at the end of the program.
#pragma once

#include <string>

namespace cuimg {

/// To standard output. May be called from several threads.
void print(const std::string& text);
/// Passes on everything printed so far, for a reader that waits for it.
void flush_prints();
/// errno of the first print() or flush_prints() that failed, or 0. Text that stdio still buffers
/// has not been written yet.
int print_error();

}  // namespace cuimg

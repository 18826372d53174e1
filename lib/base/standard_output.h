// SPDX-License-Identifier: Apache-2.0
// Printing, where what cannot be written is found out at the end of the program.
#pragma once

#include <string>

namespace cuimg {

/// To standard output. May be called from several threads.
void print(const std::string& text);
/// errno of the first print() that failed, or 0. What stdio still holds back is not written yet.
int print_error();

}  // namespace cuimg

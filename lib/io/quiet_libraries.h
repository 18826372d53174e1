// SPDX-License-Identifier: Apache-2.0
// Silences libraries that print to standard error.
#pragma once

namespace cuimg {

/// For a program that prints errors itself: libtiff's handler for messages that name no file
/// applies to the whole process.
void quieten_libtiff();

}  // namespace cuimg

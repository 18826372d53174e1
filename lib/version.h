// SPDX-License-Identifier: Apache-2.0
// The library's own version.
#pragma once

namespace cuimg {
/// @returns the version as "major.minor.patch".
const char* version();
}  // namespace cuimg

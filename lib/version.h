// SPDX-License-Identifier: Apache-2.0
// The library's own version, and those of what it is linked with.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cuimg {
/// @returns the version as "major.minor.patch".
const char* version();

/// Name and version of each library that decides over bytes, in alphabetical order.
std::vector<std::pair<std::string, std::string>> library_versions();
}  // namespace cuimg

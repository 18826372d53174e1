// SPDX-License-Identifier: Apache-2.0
// The version of the library, and the versions of the libraries that it is linked with.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cuimg {
/// @returns the version as "major.minor.patch".
const char* version();

/// Name and version of each library that affects output bytes, in alphabetical order.
std::vector<std::pair<std::string, std::string>> library_versions();
}  // namespace cuimg

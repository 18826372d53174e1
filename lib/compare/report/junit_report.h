// SPDX-License-Identifier: Apache-2.0
// Writes comparisons as JUnit's XML, which continuous integration shows as tests.
#pragma once

#include <string>
#include <vector>

#include "compare/comparison.h"

namespace cuimg {

/// A test case for each comparison, named after the golden, or if there is none, the result.
std::string junit_text(const std::vector<Comparison>& comparisons);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Checks whether two images contain the same bytes, and if not, how much they differ and where.
#pragma once

#include <optional>
#include <string>

#include "image/image.h"

namespace cuimg {

/// @param a, b with the same spec. @returns nothing if every stored byte agrees; otherwise the
/// number of values that differ, the largest distance (in codes for integers, in ulp for floats)
/// and its position.
std::optional<std::string> difference(const Image& a, const Image& b);

}  // namespace cuimg

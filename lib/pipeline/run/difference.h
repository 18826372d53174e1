// SPDX-License-Identifier: Apache-2.0
// Checks whether two images hold the same bytes, and if not, how much they differ and where.
#pragma once

#include <optional>
#include <string>

#include "image/image.h"

namespace cuimg {

/// @param a, b of one spec. @returns nothing when every stored byte agrees; else how many values
/// differ, the largest distance (in codes for integers, in ulp for floats) and its place.
std::optional<std::string> difference(const Image& a, const Image& b);

}  // namespace cuimg

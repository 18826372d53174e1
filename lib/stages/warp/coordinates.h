// SPDX-License-Identifier: Apache-2.0
// The units of an image of coordinates.
#pragma once

#include <cstdint>
#include <span>

#include "options/values.h"

namespace cuimg {

/// `stmap` is Foundry's STMap convention: 0, 0 is the lower left corner, 1, 1 the upper right one.
enum class Coordinates : std::uint8_t { pixel, normalized, stmap };
std::span<const Choice<Coordinates>> choices_of(Coordinates);

}  // namespace cuimg

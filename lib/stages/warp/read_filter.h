// SPDX-License-Identifier: Apache-2.0
// How warps, remap and probe interpolate between texels.
#pragma once

#include <cstdint>
#include <span>

#include "options/values.h"

namespace cuimg {

/// The filter for one position. Trilinear reads between halved pictures where the picture shrinks,
/// and is linear elsewhere.
enum class ReadFilter : std::uint8_t { point, linear, cubic, trilinear };
std::span<const Choice<ReadFilter>> choices_of(ReadFilter);

}  // namespace cuimg

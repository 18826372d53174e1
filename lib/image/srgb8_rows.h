// SPDX-License-Identifier: Apache-2.0
// Rows of 8-bit sRGB codes to light and back: kernels/math/srgb_tables.h's functions, many at a
// time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuimg {

/// @name `source` and `target` must not overlap: the last values may be computed twice. @{
void srgb8_to_light(const std::uint8_t* source, float* target, std::size_t count);
/// Light outside [0, 1] gives the code of the nearest end, NaN gives 0.
void light_to_srgb8(const float* source, std::uint8_t* target, std::size_t count);
/// @}

}  // namespace cuimg

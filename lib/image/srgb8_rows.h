// SPDX-License-Identifier: Apache-2.0
// Rows of 8-bit sRGB codes to light and back: kernels/math/srgb_tables.h's functions, many at a
// time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuimg {

void srgb8_to_light(const std::uint8_t* source, float* target, std::size_t count);
void light_to_srgb8(const float* source, std::uint8_t* target, std::size_t count);

}  // namespace cuimg

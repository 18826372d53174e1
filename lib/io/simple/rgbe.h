// SPDX-License-Identifier: Apache-2.0
// Radiance's pixels: three mantissas of eight bits with one exponent.
#pragma once

#include <array>
#include <cstdint>

namespace cuimg {

using Rgbe = std::array<std::uint8_t, 4>;

/// mantissa * 2^(exponent - 136); exponent 0 is black. Exact in float.
void decode_rgbe(const Rgbe& pixel, float* rgb);

/// The nearest representable colour, ties to even, with the largest component's mantissa in 128 to
/// 255. Negative components and NaN become 0, infinities and values that are too large become the
/// largest value (255 * 2^119), and a colour whose largest component is below 2^-128 becomes black.
Rgbe encode_rgbe(const float* rgb);

}  // namespace cuimg

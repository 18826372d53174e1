// SPDX-License-Identifier: Apache-2.0
// Texels with every exponent, for tests of the texture unit's fast forms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include "kernels/math/bits.h"

namespace cuimg::test {

/// Makes four texels whose exponents are at most 60 apart; some texels are zero.
inline void make_texels(float (&texels)[4], std::mt19937& random) {
  const std::uint32_t base = random() % 255, spread = 1 + random() % 60;
  for (float& x : texels) {
    const std::uint32_t exponent = std::min<std::uint32_t>(254, base + random() % spread);
    // Also few significant bits, for ties and cancellation.
    const std::uint32_t fraction = random() & 0x7fffffu & (~0u << random() % 24);
    x = float_from_bits(static_cast<std::uint32_t>(random()) << 31 | exponent << 23 | fraction);
    if (random() % 8 == 0) x = random() % 2 ? 0.0f : -0.0f;
  }
}

}  // namespace cuimg::test

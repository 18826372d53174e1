// SPDX-License-Identifier: Apache-2.0
// How far a colour that a box computes from integer sums may differ from the definition's colour,
// and where this difference could change the 8-bit code.
#pragma once

#include <cstdint>

#include "kernels/math/srgb_tables.h"

namespace cuimg {

/// In sums, light is an integer in units of 2^-20: a column of 15 values, times alphas of 255, is
/// below 2^32, and so is a window of columns whose lowest 4 bits are rounded away.
constexpr int column_bits_lost = 4;
CUIMG_HD inline std::uint32_t whole_light(float light) {
  // Floats in [8, 16) have steps of 2^-20, so the addition rounds to the nearest.
  return bits_of(light + 8.0f) - bits_of(8.0f);
}

/// The place of light 0, in steps. It keeps every threshold at least 24 steps away from the ends of
/// its bucket.
constexpr int steps_of_first = 1660;
/// The quotient of such sums of colour and of alpha, as a position among the floats from 1 to 2,
/// whose steps are 2^-23.
/// @param per_alpha 1 / alpha, times 2^-20 and the factor of the bits that the columns lost.
CUIMG_HD inline float place_of_light(float color, float per_alpha) {
  constexpr float first = 1.0f + steps_of_first * 0x1p-23f;
  return fma(color, per_alpha, first);
}
constexpr float per_alpha_scale = 0x1p-20f * (1 << column_bits_lost);

/// The largest difference between such a quotient and the definition's, in steps of 2^-23, if
/// is_alpha_enough(). Of a mean of at most 1:
///  - 4 by the light of a texel: a mean of rounded values is off by half of 2^-20 at most;
///  - 2 by the columns' lost bits: half of 2^4 a column, a quarter of 2^-20 with enough alpha;
///  - 3 by the colour's sum as a float (1/2), the reciprocal (2) and the quotient (1/2);
///  - 4 by the definition's roundings, of 2^-24 each: alphas as floats, 1 for colours and 1 for
///    alphas; texels times alpha 1; two means of colours 2 and of alphas 2; the quotient
///    1;
///  - 1 by a threshold between two places.
/// That is 14. tests/gpu/box_codes_test.cpp compares quotients with the definition's.
constexpr std::uint32_t steps_of_box_doubt = 16;

/// @param columns of the window. If all alphas are 0, the colour is exactly 0.
CUIMG_HD inline bool is_alpha_enough(std::uint32_t alpha, int columns) {
  return alpha - 1 >= static_cast<std::uint32_t>(32 * columns) - 1;
}

/// Buckets of places, each of 2^11 steps, which is less than the distance between two thresholds.
constexpr int linear_buckets = (1 << 12) + 1;
CUIMG_HD inline std::uint32_t linear_bucket(float place) {
  return (bits_of(place) >> 11) - (bits_of(1.0f) >> 11);
}

/// A bucket's entry in the table of sums. @param encode Srgb8Tables::encode.
CUIMG_HD inline std::uint32_t linear_entry(const std::uint32_t* encode, int bucket) {
  const auto code_at = [&](int step) -> std::uint32_t {
    const int light = (bucket << 11) + step - steps_of_first;
    return linear_to_srgb8(encode, static_cast<float>(light) * 0x1p-23f);
  };
  const std::uint32_t code = code_at(0);
  const std::uint32_t first = (bits_of(1.0f) + (static_cast<std::uint32_t>(bucket) << 11)) << 5;
  if (code == code_at(2047)) return 0x80000000u + (code << 16) - first;
  int below = 0, step = 2047;  // the first step with the next code
  while (step - below > 1) {
    const int middle = (below + step) / 2;
    (code_at(middle) == code ? below : step) = middle;
  }
  return (code << 16) + 0x10000u - (static_cast<std::uint32_t>(step) << 5) +
         (steps_of_box_doubt << 5) - first;
}

/// The code is the third byte of the sum. @param entry of the place's bucket.
CUIMG_HD inline std::uint32_t sum_of_place(std::uint32_t entry, float place) {
  return entry + (bits_of(place) << 5);
}
/// Whether light with an error of up to steps_of_box_doubt could have another code. The code
/// changes that many steps early, and doubtful places lie less than twice as many steps after a
/// change. The uppermost bit means that the bucket has no change.
CUIMG_HD inline bool is_place_in_doubt(std::uint32_t sum) {
  return (sum & (0x80000000u | (0xffffu & ~(2 * (steps_of_box_doubt << 5) - 1)))) == 0;
}

}  // namespace cuimg

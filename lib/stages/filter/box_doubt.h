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

/// The place of light 0. With it every threshold is at least 76 steps away from the ends of its
/// bucket.
constexpr float place_of_black = 0x1p-5f + 1111 * 0x1p-23f;
/// The quotient of such sums of colour and of alpha, moved away from 0.
/// @param per_alpha 1 / alpha, times 2^-20 and the factor of the bits that the columns lost.
CUIMG_HD inline float place_of_light(float color, float per_alpha) {
  return fma(color, per_alpha, place_of_black);
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

/// Buckets of places: 128 for each octave from 2^-5 on, so that neighbouring places share entries.
/// A bucket is shorter than the distance between two thresholds.
constexpr std::uint32_t first_place_bucket = (127u - 5) << 7;
constexpr int place_buckets = 5 * 128 + 5;
CUIMG_HD inline std::uint32_t place_bucket(float place) {
  return (bits_of(place) >> 16) - first_place_bucket;
}
/// Twice the doubt, in units of the last bit of places with this exponent.
CUIMG_HD inline std::uint32_t bits_of_doubt(std::uint32_t exponent) {
  return 2 * steps_of_box_doubt << (127 - exponent);
}

/// A bucket's entry in the table of sums. @param encode Srgb8Tables::encode.
CUIMG_HD inline std::uint32_t place_entry(const std::uint32_t* encode, int bucket) {
  const std::uint32_t first = (static_cast<std::uint32_t>(bucket) + first_place_bucket) << 16;
  const auto code_at = [&](std::uint32_t low) -> std::uint32_t {
    return linear_to_srgb8(encode, float_from_bits(first + low) - place_of_black);
  };
  const std::uint32_t code = code_at(0);
  if (code == code_at(0xffffu)) return 0x80000000u + (code << 16) - first;
  std::uint32_t below = 0, step = 0xffffu;  // the first place with the next code
  while (step - below > 1) {
    const std::uint32_t middle = (below + step) / 2;
    (code_at(middle) == code ? below : step) = middle;
  }
  return (code << 16) + 0x10000u - step + bits_of_doubt(first >> 23) / 2 - first;
}

/// The code is the third byte of the sum. @param entry of the place's bucket.
CUIMG_HD inline std::uint32_t sum_of_place(std::uint32_t entry, float place) {
  return entry + bits_of(place);
}
/// Whether light with an error of up to steps_of_box_doubt could have another code. The code
/// changes that many steps early, and doubtful places lie less than twice as many steps after a
/// change. The uppermost bit means that the bucket has no change.
CUIMG_HD inline bool is_place_in_doubt(std::uint32_t sum, float place) {
#if defined(__CUDA_ARCH__)
  // The same mask in one step, which uses the lowest five bits of the exponent.
  static_assert(steps_of_box_doubt == 16);
  const std::uint32_t mask = __funnelshift_r(0u, 0xfffffff0u, bits_of(place) >> 23);
#else
  const std::uint32_t mask = ~(bits_of_doubt(bits_of(place) >> 23) - 1);
#endif
  return (sum & mask & 0x8000ffffu) == 0;
}

}  // namespace cuimg

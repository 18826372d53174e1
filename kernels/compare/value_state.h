// SPDX-License-Identifier: Apache-2.0
// How a value compares with the limits, as bits: whether it differs, fails, fails hard or warns.
// Everything is in integers, which compilers vectorise.
#pragma once

#include <cstdint>

#include "kernels/math/math.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// The state of a pixel, as bits: the union of its values' states.
namespace pixel_state {
inline constexpr std::uint8_t differs = 1, fails = 2, warns = 4, fails_hard = 8, warns_hard = 16;
inline constexpr std::uint8_t mismatch = 32, nan = 64, left_out = 128;
}  // namespace pixel_state

/// Limits as the bits of floats of at least 0, which have the floats' order; -1: nothing passes.
struct StateLimits {
  std::int32_t fail = 0, fail_relative = 0, hard_fail = 0, warn = 0, warn_relative = 0,
               hard_warn = 0;
  std::uint32_t max_ulp = 0;
};

/// A limit that is negative or NaN lets nothing pass.
CUIMG_HD inline std::int32_t limit_bits(float limit) {
  return limit >= 0 ? static_cast<std::int32_t>(bits_of(abs(limit))) : -1;
}

/// @param absolute, relative the bits of a ValueDifference's floats.
/// @param mismatch 1, or 0. A mismatch exceeds every limit for failing.
CUIMG_HD inline std::uint32_t value_state(std::uint32_t absolute, std::uint32_t relative,
                                          std::uint32_t steps, std::uint32_t mismatch,
                                          const StateLimits& limits) {
  using namespace pixel_state;
  const auto bit = [](bool is, std::uint32_t state) {
    return (0u - static_cast<std::uint32_t>(is)) & state;
  };
  const auto distance = static_cast<std::int32_t>(absolute);
  const auto share = static_cast<std::int32_t>(relative);
  return bit(steps != 0, differs) | bit(distance > limits.fail, fails) |
         bit(share > limits.fail_relative, fails) | bit(steps > limits.max_ulp, fails) |
         bit(distance > limits.warn, warns) | bit(share > limits.warn_relative, warns) |
         bit(distance > limits.hard_fail, fails_hard) |
         bit(distance > limits.hard_warn, warns_hard) |
         ((0u - mismatch) & std::uint32_t{pixel_state::mismatch | differs | fails | fails_hard});
}

/// @param left_out 1, or 0: as in ValueDifference.
CUIMG_HD inline std::uint32_t left_out_state(std::uint32_t left_out) {
  return (0u - left_out) & std::uint32_t{pixel_state::left_out};
}

/// Ids have no distance: they are equal or not, and no limit allows different ones.
CUIMG_HD inline std::uint32_t id_state(std::uint32_t a, std::uint32_t b) {
  using namespace pixel_state;
  return select(a != b, std::uint32_t{differs | fails | fails_hard}, 0u);
}
/// The same for Cryptomatte's ids, which are the bits of floats.
CUIMG_HD inline std::uint32_t matte_id_state(std::uint32_t a, std::uint32_t b) {
  using namespace pixel_state;
  return select(a != b, std::uint32_t{differs | fails}, 0u);
}

/// The order by which the worst value is found: the bits of its distance, infinity for a mismatch,
/// 1 for ids that differ. @param absolute bits of the distance. @param state of the value.
CUIMG_HD inline std::uint32_t badness_of(std::uint32_t absolute, std::uint32_t state) {
  const std::uint32_t id = state & pixel_state::differs;
  const std::uint32_t size = select(absolute > id, absolute, id);
  return select((state & pixel_state::mismatch) != 0, 0x7f800000u, size);
}
static_assert(pixel_state::differs == 1);

}  // namespace cuimg

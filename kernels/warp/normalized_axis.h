// SPDX-License-Identifier: Apache-2.0
// Positions as normalised coordinates, which a texture unit requires for wrap, mirror and levels.
// The unit floors them to a step that is hardly finer than 1/256 texel in a large picture, so they
// are given as integer multiples of that step.
#pragma once

#include <cstdint>

#include "kernels/math/platform.h"
#include "kernels/warp/warp_taps.h"

namespace cuimg {

/// An axis of a texture. Up to longest_normalized_side texels, the unit reads between the same
/// texels with the same weights as unit_taps().
struct NormalizedAxis {
  int side;
  float step;               ///< The step of coordinates; a power of two.
  std::uint64_t per_256th;  ///< Steps per 1/256 texel, in units of 2^-38.

  /// @param bits fraction bits of the texture's coordinates: coordinate_bits() or
  /// level_coordinate_bits() of its longer side.
  NormalizedAxis(int texels, int bits)
      : side(texels),
        step(1.0f / static_cast<float>(1 << bits)),
        per_256th(((std::uint64_t{1} << (bits + 31)) / static_cast<unsigned>(texels) + 1) / 2) {}

  /// Positions far outside are moved closer, where every level reads the same.
  CUIMG_HD float coordinate(Address address, std::int64_t position) const {
    const UnitPosition at = unit_position(position);
    int texel = at.texel;
    if (address == Address::wrap || address == Address::mirror) {
      const int period = address == Address::wrap ? side : 2 * side;
      texel %= period;
      texel = texel < 0 ? texel + period : texel;
    } else {
      texel = texel < -2 * side ? -2 * side : texel;
      texel = texel > 3 * side ? 3 * side : texel;
    }
    const std::int64_t part = 256 * static_cast<std::int64_t>(texel) + at.fraction + 128;
    constexpr std::int64_t half = std::int64_t{1} << 37;
    const std::int64_t steps = (part * static_cast<std::int64_t>(per_256th) + half) >> 38;
    return static_cast<float>(steps) * step;
  }
};

/// Above this size the step is wider than 1/256 texel.
inline constexpr int longest_normalized_side = 16384;

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Positions as normalised coordinates, which a texture unit wants for wrap, mirror and levels. It
// floors them to a step that is hardly finer than 1/256 texel in a large picture, so they are given
// as whole numbers of that step.
#pragma once

#include <cstdint>

#include "kernels/math/platform.h"
#include "kernels/warp/warp_taps.h"

namespace cuimg {

/// An axis of a texture. The unit reads between the same texels, with the same weights, as
/// unit_taps() says, up to longest_normalized_side texels.
struct NormalizedAxis {
  int side;
  float step;               ///< Of coordinates; a power of two.
  std::uint64_t per_256th;  ///< Steps in 1/256 texel, in 2^-38.

  /// @param bits what the texture's coordinates keep: coordinate_bits() or level_coordinate_bits()
  /// of its longer side.
  NormalizedAxis(int texels, int bits)
      : side(texels),
        step(1.0f / static_cast<float>(1 << bits)),
        per_256th(((std::uint64_t{1} << (bits + 31)) / static_cast<unsigned>(texels) + 1) / 2) {}

  /// What lies far outside is brought near, where every level reads the same.
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

/// Beyond, the step is wider than 1/256 texel.
inline constexpr int longest_normalized_side = 16384;

}  // namespace cuimg

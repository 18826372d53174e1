// SPDX-License-Identifier: Apache-2.0
// What a warped picture's pixel reads where the picture does not shrink: one texel, or the texture
// unit's four, or sixteen, each index by the border's rule.
#pragma once

#include "kernels/cubic.h"
#include "kernels/texture_coordinates.h"
#include "kernels/warp_maps.h"

namespace cuimg {

/// The texel that holds a position.
CUIMG_HD inline int nearest_texel(Address address, std::int64_t position, int size) {
  return addressed(address, static_cast<int>((position + (std::int64_t{1} << 31)) >> 32), size);
}

/// A position as the texture unit rounds it, to 1/256 texel.
CUIMG_HD inline std::int64_t unit_position(std::int64_t position) {
  return (position + (1 << 23)) >> 24;
}

/// The unit's coordinate of a position, exact for sizes up to longest_side_in_float. Beyond the
/// edge it is brought near, where clamp and border read the same.
CUIMG_HD inline float unit_coordinate(std::int64_t position, int size) {
  std::int64_t q = unit_position(position);
  const std::int64_t low = -512, high = 256 * std::int64_t{size} + 256;
  q = q < low ? low : q;
  q = q > high ? high : q;
  return static_cast<float>(static_cast<int>(q) + 128) * (1.0f / 256);
}
inline constexpr int longest_side_in_float = 65000;

/// What the unit reads there, with any address mode; texels past an edge by themselves.
CUIMG_HD inline AxisTaps unit_taps(Address address, std::int64_t position, int size) {
  const std::int64_t q = unit_position(position);
  const int index = static_cast<int>(q >> 8), fraction = static_cast<int>(q & 255);
  const int near = addressed(address, index, size);
  return {near, fraction == 0 ? near : addressed(address, index + 1, size), fraction};
}

CUIMG_HD inline CubicTaps cubic_taps_at(Address address, std::int64_t position, int size) {
  const int first = static_cast<int>(position >> 32) - 1;
  CubicTaps taps;
  for (int k = 0; k < 4; ++k) taps.texel[k] = addressed(address, first + k, size);
  const auto fraction = static_cast<std::uint32_t>(position) >> 8;
  cubic_weights(static_cast<float>(fraction) * 0x1p-24f, taps.weight);
  return taps;
}

}  // namespace cuimg

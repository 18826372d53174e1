// SPDX-License-Identifier: Apache-2.0
// The texels that a warped picture's pixel reads where the picture does not shrink: one texel, or
// the texture unit's four, or sixteen, each index by the border's rule.
#pragma once

#include "kernels/texture/texture_coordinates.h"
#include "kernels/warp/cubic.h"
#include "kernels/warp/warp_maps.h"

namespace cuimg {

/// The texel that holds a position. One between two is the latter's, as in a resize, and 1/16384 of
/// a texel before there counts as there: steps like 0.4 are none of 2^-32, and over the widest row
/// they add up to half of that.
CUIMG_HD inline int nearest_texel(Address address, std::int64_t position, int size) {
  constexpr std::int64_t half = std::int64_t{1} << 31, as_good_as_there = std::int64_t{1} << 18;
  return addressed(address, static_cast<int>((position + half + as_good_as_there) >> 32), size);
}

/// A position as the texture unit rounds it, to 1/256 texel.
struct UnitPosition {
  int texel;     ///< The last one at or before it,
  int fraction;  ///< and how far on from there, of 256.
};
CUIMG_HD inline UnitPosition unit_position(std::int64_t position) {
  const std::int64_t rounded = position + (1 << 23);
  return {static_cast<int>(rounded >> 32),
          static_cast<int>(static_cast<std::uint32_t>(rounded) >> 24)};
}

/// The unit's coordinate of a position, exact for sizes up to longest_side_in_float. Beyond the
/// edge it is brought near, where clamp and border read the same.
CUIMG_HD inline float unit_coordinate(const UnitPosition& position, int size) {
  int texel = position.texel < -2 ? -2 : position.texel;
  texel = texel > size ? size : texel;
  return static_cast<float>(256 * texel + position.fraction + 128) * (1.0f / 256);
}
CUIMG_HD inline float unit_coordinate(std::int64_t position, int size) {
  return unit_coordinate(unit_position(position), size);
}

/// What the unit reads there, with any address mode; texels past an edge by themselves.
CUIMG_HD inline AxisTaps unit_taps(Address address, std::int64_t position, int size) {
  const auto [texel, fraction] = unit_position(position);
  const int near = addressed(address, texel, size);
  return {near, fraction == 0 ? near : addressed(address, texel + 1, size), fraction};
}

CUIMG_HD inline CubicAxis cubic_axis_at(std::int64_t position) {
  CubicAxis axis;
  axis.first = static_cast<int>(position >> 32) - 1;
  const auto fraction = static_cast<std::uint32_t>(position) >> 8;
  cubic_weights(static_cast<float>(fraction) * 0x1p-24f, axis.weight);
  return axis;
}

}  // namespace cuimg

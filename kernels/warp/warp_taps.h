// SPDX-License-Identifier: Apache-2.0
// The texels that a warped picture's pixel reads if the picture does not shrink: one texel, or the
// texture unit's four, or sixteen, with the border's rule for each index.
#pragma once

#include "kernels/texture/texture_coordinates.h"
#include "kernels/warp/cubic.h"
#include "kernels/warp/warp_maps.h"

namespace cuimg {

/// The texel that contains a position. A position between two belongs to the latter, as in a
/// resize, and positions up to 1/16384 of a texel before it also do: steps such as 0.4 are not
/// multiples of 2^-32, and over the widest row their errors add up to half of that.
CUIMG_HD inline int nearest_texel(Address address, std::int64_t position, int size) {
  constexpr std::int64_t half = std::int64_t{1} << 31, as_good_as_there = std::int64_t{1} << 18;
  return addressed(address, static_cast<int>((position + half + as_good_as_there) >> 32), size);
}

/// A position rounded to 1/256 texel, as in the texture unit.
struct UnitPosition {
  int texel;     ///< The last one at or before it,
  int fraction;  ///< and the distance from there, in units of 1/256.
};
CUIMG_HD inline UnitPosition unit_position(std::int64_t position) {
  const std::int64_t rounded = position + (1 << 23);
  return {static_cast<int>(rounded >> 32),
          static_cast<int>(static_cast<std::uint32_t>(rounded) >> 24)};
}

/// The unit's coordinate of a position, exact for sizes up to longest_side_in_float. Beyond the
/// edge it is moved closer, where clamp and border read the same.
CUIMG_HD inline float unit_coordinate(const UnitPosition& position, int size) {
  int texel = position.texel < -2 ? -2 : position.texel;
  texel = texel > size ? size : texel;
  return static_cast<float>(256 * texel + position.fraction + 128) * (1.0f / 256);
}
CUIMG_HD inline float unit_coordinate(std::int64_t position, int size) {
  return unit_coordinate(unit_position(position), size);
}

/// The texels that the unit reads there, with any address mode; texels beyond an edge are resolved
/// separately.
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

// SPDX-License-Identifier: Apache-2.0
// Chromaticities: where a colour space's red, green, blue and white lie.
#pragma once

namespace cuimg {

/// CIE 1931 x, y of the primaries and the white point.
struct Chromaticities {
  float rx = 0.64f, ry = 0.33f, gx = 0.30f, gy = 0.60f, bx = 0.15f, by = 0.06f;
  float wx = 0.3127f, wy = 0.3290f;
  friend bool operator==(const Chromaticities&, const Chromaticities&) = default;
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Lines through two points, for ranges of any width that floats can represent.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "stages/pass/pixel_pass.h"

namespace cuimg {

/// A range, and the values that its ends become. `low` and `high` differ.
struct Stretch {
  float low = 0, high = 1;
  double to_low = 0, to_high = 1;
};

/// Appends the lines that move each channel's `low` exactly to `to_low` and its `high` to
/// `to_high`. It is one line, unless differences or factors would overflow or lose digits; then
/// values are first multiplied by powers of two.
void append_stretch(std::uint8_t channels, std::array<Stretch, 4> of, std::vector<PixelOp>& ops);

}  // namespace cuimg

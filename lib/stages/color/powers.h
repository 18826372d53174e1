// SPDX-License-Identifier: Apache-2.0
// Powers of values, with an exponent for each channel.
#pragma once

#include <vector>

#include "stages/pass/pixel_pass.h"

namespace cuimg {

/// |x| ^ exponent with the sign of x: one operation for each distinct exponent of the channels,
/// none for 1.
/// @param exponent (channel) -> double, above 0.
template <class Exponent>
void append_powers(const Exponent& exponent, std::uint8_t channels, std::vector<PixelOp>& ops) {
  for (int c = 0; c < 4; ++c) {
    if (!has_channel(channels, c) || exponent(c) == 1.0) continue;
    std::uint8_t alike = 0;
    bool is_first = true;
    for (int other = 0; other < 4; ++other)
      if (has_channel(channels, other) && exponent(other) == exponent(c)) {
        alike = static_cast<std::uint8_t>(alike | (1 << other));
        is_first = is_first && other >= c;
      }
    if (is_first) ops.push_back(mirrored_power_op(exponent(c), alike));
  }
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The side to which something is aligned in a larger or smaller frame.
#pragma once

#include <cstdint>
#include <span>

#include "options/values.h"

namespace cuimg {

enum class Gravity : std::uint8_t {
  center,
  north,
  south,
  east,
  west,
  northeast,
  northwest,
  southeast,
  southwest
};
std::span<const Choice<Gravity>> choices_of(Gravity);

/// @name Where `inner` pixels begin in `outer` ones: at 0, in the middle (rounded toward zero), or
/// with aligned ends. @{
int placed_x(Gravity gravity, int outer, int inner);
int placed_y(Gravity gravity, int outer, int inner);
/// @}

/// @name A distance inward from gravity's side as a step right (x) or down (y); along an axis that
/// gravity centres it is that step already. @{
float inward_x(Gravity gravity, float at);
float inward_y(Gravity gravity, float at);
/// @}

}  // namespace cuimg

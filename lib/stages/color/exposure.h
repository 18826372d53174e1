// SPDX-License-Identifier: Apache-2.0
// Exposure's parameters, also for code that shows pictures, and the range of stops.
#pragma once

#include <vector>

#include "options/parameter.h"

namespace cuimg {

/// Powers of two that a float holds.
inline constexpr Range stops_range = range(-126.0, 127.0);

struct Exposure {
  std::vector<float> stops = {0};
};

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The parameters of exposure, also for code that displays pictures, and the range of stops.
#pragma once

#include <vector>

#include "options/parameter.h"

namespace cuimg {

/// Exponents of two for which a float can hold the power.
inline constexpr Range stops_range = range(-126.0, 127.0);

struct Exposure {
  std::vector<float> stops = {0};
};

}  // namespace cuimg

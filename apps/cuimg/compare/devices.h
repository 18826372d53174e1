// SPDX-License-Identifier: Apache-2.0
// The devices on which `cuimg compare` measures, by --device.
#pragma once

#include "compare/measurer.h"
#include "pipeline/options.h"

namespace cuimg {

MeasuringChoice measuring_choice(const DeviceChoice& choice);

}  // namespace cuimg

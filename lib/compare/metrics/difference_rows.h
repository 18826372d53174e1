// SPDX-License-Identifier: Apache-2.0
// One pass over two layers of one form: how far apart values are, how many pixels differ and how
// many break limits. What it finds is the same on every device.
#pragma once

#include <cstdint>
#include <vector>

#include "compare/metrics/compared_layers.h"
#include "compare/metrics/measures.h"
#include "kernels/compare/value_state.h"

namespace cuimg {

/// @param ignored as AlignedPair's. @param states null, or a byte of pixel_state's bits for each
/// pixel, filled here. @throws DeviceError.
Differences find_differences(const ComparedLayers& layers, const ValueLimits& limits,
                             const std::vector<std::uint8_t>& ignored,
                             std::vector<std::uint8_t>* states = nullptr);

/// A value, and its whole pixel, of both pictures. @param layer, channel indices.
/// @param x, y absolute.
ValuePlace place_of(const Image& golden, const Image& result, int layer, int x, int y, int channel);

}  // namespace cuimg

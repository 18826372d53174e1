// SPDX-License-Identifier: Apache-2.0
// FLIP of a pair of layers: the map that reports draw, and the exposures of HDR-FLIP.
#pragma once

#include "compare/metrics/light_range.h"
#include "compare/metrics/metric.h"

namespace cuimg {

/// The exposures of HDR-FLIP, from the light of a golden: from the one at which its maximum is
/// tone-mapped to 0.85 to the one at which its median is; at least two, at most a stop apart.
Exposures automatic_exposures(const LightRange& light);

/// An error from 0 to 1 for each pixel of the data window.
/// @param hdr the largest over all exposures; otherwise light is clamped to 0 to 1. @throws
/// DeviceError.
FlipMap flip_map(const LayerPair& pair, bool hdr);

/// The map as a picture with one float channel, Y; HDR-FLIP for half, float, PQ and HLG.
/// @param golden, result with the same form: window, layers and types. @param layer a colour layer.
/// @throws Error if their forms differ, or if the layer contains no colour.
Image flip_image(const Image& golden, const Image& result, int layer, const MetricOptions& options,
                 const Queue& queue);

}  // namespace cuimg

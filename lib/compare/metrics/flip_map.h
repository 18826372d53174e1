// SPDX-License-Identifier: Apache-2.0
// FLIP of a pair of layers: the map that reports draw, and the exposures of HDR-FLIP.
#pragma once

#include "compare/metrics/light_range.h"
#include "compare/metrics/metric.h"

namespace cuimg {

/// Exposures at which HDR-FLIP looks, from the light of a golden: from where its maximum, to where
/// its median is tone-mapped to 0.85, at least two, a stop or less apart.
Exposures automatic_exposures(const LightRange& light);

/// An error from 0 to 1 for each pixel of the data window.
/// @param hdr the largest over all exposures; else light is clamped to 0 to 1. @throws DeviceError.
FlipMap flip_map(const LayerPair& pair, bool hdr);

/// The map as a picture of one float channel, Y; HDR-FLIP of half, float, PQ and HLG.
/// @param golden, result of one form: window, layers and types. @param layer one of colour.
/// @throws Error where their forms are not one, or the layer holds no colour.
Image flip_image(const Image& golden, const Image& result, int layer, const MetricOptions& options,
                 const Queue& queue);

}  // namespace cuimg

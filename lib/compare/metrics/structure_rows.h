// SPDX-License-Identifier: Apache-2.0
// Structural similarity of two planes: windows of 11x11 pixels, gaussian weights of sigma 1.5
// (Z. Wang et al. 2004). Windows that leave the plane do not count.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "compare/metrics/float_buffer.h"
#include "compare/metrics/metric.h"
#include "kernels/compare/structure_value.h"

namespace cuimg {

inline constexpr int structure_window = 11;

/// A channel, or luminance, as floats: integers are v / largest.
struct Plane {
  int width = 0, height = 0;
  FloatBuffer values;
  const float* row(int y) const {
    return values.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
  }
};

/// Of both layers, where their queue works. What is not finite is 0.
struct PlanePair {
  int width = 0, height = 0;
  Plane golden, result;                  ///< On the processor.
  Frame golden_on_card, result_on_card;  ///< On a card: rows of one float from (0, 0) on.
};

/// One channel of the layers. @throws DeviceError, as all of these do.
PlanePair channel_planes(const ComparedLayers& layers, int channel);
/// Means of 2x2 pixels, the last row and column repeated where a side is odd.
PlanePair halved(const PlanePair& planes, const Queue& queue);
/// Whether a layer's luminance is more than its first channel.
bool has_luminance(const LayerSpec& spec);

/// The mean over all windows that lie inside.
struct StructureMeans {
  double similarity = 1, contrast = 1;
};
/// Nothing for planes smaller than a window. @param range from black to white.
std::optional<StructureMeans> structure_means(const PlanePair& planes, double range,
                                              const Queue& queue);

/// 0.2126 R + 0.7152 G + 0.0722 B of the stored values; the first channel of other layers.
struct LuminancePair {
  PlanePair planes;
  std::optional<StructureMeans> means;
};

/// @name The work on a card. @{

/// Windows are summed up by tiles of that many: a tile's columns downwards, then the columns in
/// halves as row_sums.h has it. What lies beyond the last window is 0.
inline constexpr int structure_tile_width = 128, structure_tile_height = 64;
struct StructureSums {
  double similarity = 0, contrast = 0;
};
/// Half of the gaussian, from the centre outwards.
using StructureWeights = std::array<double, structure_window / 2 + 1>;

/// @param channel an index, or -1 for luminance.
Frame plane_on_cuda(const Queue& queue, const Frame& layer, int channel);
Frame halved_on_cuda(const Queue& queue, const Frame& plane);
/// @returns one for each tile, row by row.
std::vector<StructureSums> structure_sums_on_cuda(const Queue& queue, const Frame& golden,
                                                  const Frame& result,
                                                  const StructureWeights& weights,
                                                  const StructureConstants& constants);
/// @}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Structural similarity of two planes: windows of 11x11 pixels, gaussian weights of sigma 1.5
// (Z. Wang et al. 2004). Only windows inside the plane count.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "compare/metrics/float_buffer.h"
#include "compare/metrics/metric.h"
#include "kernels/compare/structure_value.h"

namespace cuimg {

inline constexpr int structure_window = 11;

/// A plane of values as floats: integers are v / largest, and values that are not finite are 0.
struct Plane {
  int width = 0, height = 0;
  FloatBuffer values;
  const float* row(int y) const {
    return values.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
  }
};

/// The planes of both layers, where their queue works.
struct PlanePair {
  int width = 0, height = 0;
  Plane golden, result;                  ///< On the processor.
  Frame golden_on_card, result_on_card;  ///< On a card: rows of one float per pixel from (0, 0) on.
};

/// Means of 2x2 pixels; if a side is odd, the last row or column is repeated.
/// @throws DeviceError, as all of these do.
PlanePair halved(const PlanePair& planes, const Queue& queue);

/// Means over all windows inside the planes.
struct StructureMeans {
  double similarity = 1, contrast = 1;
};
/// Nothing for planes smaller than a window. @param range the distance from black to white.
std::optional<StructureMeans> structure_means(const PlanePair& planes, double range,
                                              const Queue& queue);

/// A plane of a layer is a channel's index, or this for 0.2126 R + 0.7152 G + 0.0722 B of the
/// stored values.
inline constexpr int luminance_plane = -1;
/// Whether a layer's luminance differs from its first channel.
bool has_luminance(const LayerSpec& spec);

/// Data that SSIM and MS-SSIM share for two layers that contain a window.
struct LayerStructure {
  // Means are those of mean_of_counted().
  StructureMeans luminance;              ///< Of the first channel for layers without luminance.
  std::vector<StructureMeans> channels;  ///< Filled in if SSIM is wanted.
  /// Luminance at half size, filled in if MS-SSIM is wanted.
  PlanePair half;
  /// The number of all windows divided by the number of those whose centre counts; 1 if there is
  /// none.
  double windows_per_counted = 1;
};

/// Converts a mean over all windows to one over windows whose centre counts: the total loss is
/// attributed to these, since ignored pixels have no loss of their own. From -1 to 1.
/// @param windows_per_counted as in LayerStructure.
double mean_of_counted(double mean, double windows_per_counted);

/// The windows per tile; a tile's planes and sums are computed and then discarded.
/// Positions beyond the last window are 0: a tile's columns are added up downwards, then the
/// columns in halves as in row_sums.h.
inline constexpr int structure_tile_width = 128, structure_tile_height = 64;
struct StructureSums {
  double similarity = 0, contrast = 0;
};
/// Half of the gaussian, from the centre outwards.
using StructureWeights = std::array<double, structure_window / 2 + 1>;

/// @name The work on the processor. @{

/// @param planes of the layers. @param half null, or receives the first plane at half size.
/// @returns for each plane its tiles, row by row.
std::vector<std::vector<StructureSums>> structure_sums_on_cpu(const ComparedLayers& layers,
                                                              std::span<const int> planes,
                                                              const StructureWeights& weights,
                                                              const StructureConstants& constants,
                                                              PlanePair* half);
std::vector<StructureSums> structure_sums_on_cpu(const PlanePair& planes,
                                                 const StructureWeights& weights,
                                                 const StructureConstants& constants,
                                                 const Queue& queue);
Plane halved_on_cpu(const Plane& plane, const Queue& queue);
/// @}

/// @name The work on a card. @{

/// One plane of the layers, as rows of one float per pixel from (0, 0) on.
PlanePair planes_on_card(const ComparedLayers& layers, int plane);
/// @param plane a channel's index, or luminance_plane.
Frame plane_on_cuda(const Queue& queue, const Frame& layer, int plane);
Frame halved_on_cuda(const Queue& queue, const Frame& plane);
/// @returns sums for each tile, row by row.
std::vector<StructureSums> structure_sums_on_cuda(const Queue& queue, const Frame& golden,
                                                  const Frame& result,
                                                  const StructureWeights& weights,
                                                  const StructureConstants& constants);
/// @}

}  // namespace cuimg

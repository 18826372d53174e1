// SPDX-License-Identifier: Apache-2.0
// Structural similarity of two planes: windows of 11x11 pixels, gaussian weights of sigma 1.5
// (Z. Wang et al. 2004). Windows that leave the plane do not count.
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

/// A plane of values as floats: integers are v / largest, and what is not finite is 0.
struct Plane {
  int width = 0, height = 0;
  FloatBuffer values;
  const float* row(int y) const {
    return values.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
  }
};

/// Of both layers, where their queue works.
struct PlanePair {
  int width = 0, height = 0;
  Plane golden, result;                  ///< On the processor.
  Frame golden_on_card, result_on_card;  ///< On a card: rows of one float from (0, 0) on.
};

/// Means of 2x2 pixels, the last row and column repeated where a side is odd.
/// @throws DeviceError, as all of these do.
PlanePair halved(const PlanePair& planes, const Queue& queue);

/// The mean over all windows that lie inside.
struct StructureMeans {
  double similarity = 1, contrast = 1;
};
/// Nothing for planes smaller than a window. @param range from black to white.
std::optional<StructureMeans> structure_means(const PlanePair& planes, double range,
                                              const Queue& queue);

/// Which plane of a layer: a channel's index, or this for 0.2126 R + 0.7152 G + 0.0722 B of the
/// stored values.
inline constexpr int luminance_plane = -1;
/// Whether a layer's luminance is more than its first channel.
bool has_luminance(const LayerSpec& spec);

/// What SSIM and MS-SSIM share about two layers that hold a window.
struct LayerStructure {
  // Means are mean_of_counted().
  StructureMeans luminance;              ///< The first channel's of other layers.
  std::vector<StructureMeans> channels;  ///< Where SSIM is wanted.
  PlanePair half;                        ///< Luminance halved, where MS-SSIM is wanted.
  /// All windows by those whose centre counts, or by 1 where there is none.
  double windows_per_counted = 1;
};

/// A mean over all windows as that over those whose centre counts: its loss 1 - mean is the sum of
/// all, as ignored pixels have none of their own. From -1 to 1.
/// @param windows_per_counted as LayerStructure has it.
double mean_of_counted(double mean, double windows_per_counted);

/// By tiles of that many windows, whose planes and sums are made and forgotten.
/// What lies beyond the last window is 0: a tile's columns are added up downwards, then the columns
/// in halves as row_sums.h has it.
inline constexpr int structure_tile_width = 128, structure_tile_height = 64;
struct StructureSums {
  double similarity = 0, contrast = 0;
};
/// Half of the gaussian, from the centre outwards.
using StructureWeights = std::array<double, structure_window / 2 + 1>;

/// @name The work on the processor. @{

/// @param planes of the layers. @param half null, or gets the first of them halved.
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

/// One plane of the layers, rows of one float from (0, 0) on.
PlanePair planes_on_card(const ComparedLayers& layers, int plane);
/// @param plane a channel's index, or luminance_plane.
Frame plane_on_cuda(const Queue& queue, const Frame& layer, int plane);
Frame halved_on_cuda(const Queue& queue, const Frame& plane);
/// @returns one for each tile, row by row.
std::vector<StructureSums> structure_sums_on_cuda(const Queue& queue, const Frame& golden,
                                                  const Frame& result,
                                                  const StructureWeights& weights,
                                                  const StructureConstants& constants);
/// @}

}  // namespace cuimg

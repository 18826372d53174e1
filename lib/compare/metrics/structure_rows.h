// SPDX-License-Identifier: Apache-2.0
// Structural similarity of two planes: windows of 11x11 pixels, gaussian weights of sigma 1.5
// (Z. Wang et al. 2004). Windows that leave the plane do not count.
#pragma once

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

/// One channel of a layer. What is not finite is 0.
Plane channel_plane(const Image& image, int layer, int channel, const Queue& queue);
/// Means of 2x2 pixels, the last row and column repeated where a side is odd.
Plane halved(const Plane& plane, const Queue& queue);

/// The mean over all windows that lie inside.
struct StructureMeans {
  double similarity = 1, contrast = 1;
};
/// Whether a layer's luminance is more than its first channel.
bool has_luminance(const LayerSpec& spec);

/// 0.2126 R + 0.7152 G + 0.0722 B of the stored values; the first channel of other layers.
struct LuminancePair {
  Plane golden, result;
  std::optional<StructureMeans> means;
};

/// Nothing for planes smaller than a window. @param range from black to white.
std::optional<StructureMeans> structure_means(const Plane& golden, const Plane& result,
                                              double range, const Queue& queue);

}  // namespace cuimg

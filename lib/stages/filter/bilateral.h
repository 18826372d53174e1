// SPDX-License-Identifier: Apache-2.0
// bilateral: smooths areas of similar colour and keeps edges.
#pragma once

#include <cstdint>
#include <vector>

#include "stages/window/stencil.h"

namespace cuimg {

/// A filter's pixels and their weights.
struct BilateralTaps {
  int radius = 0;
  /// For dy from -radius on, dx runs from -half_widths[dy + radius] to the same value above 0.
  std::vector<int> half_widths;
  /// Base-2 logarithms of the weights by distance, (2 radius + 1)^2 of them.
  std::vector<float> nearness;
  /// The logarithm of the weight by colour is this times the squared difference.
  float likeness = 0.0f;

  int width() const { return 2 * radius + 1; }
  const float* row(int dy) const {
    return nearness.data() + static_cast<std::size_t>((dy + radius) * width() + radius);
  }
};

/// @name Filters one layer of floats from source to target, on a device.
/// @param colors a bit for each channel that is used to compare pixels.
/// @{
void bilateral_on_cpu(const BilateralTaps& taps, const BorderSampler& borders, std::uint32_t colors,
                      const Frame& source, const Frame& target);
void bilateral_on_cuda(const Queue& queue, const BilateralTaps& taps, const BorderSampler& borders,
                       std::uint32_t colors, const Frame& source, const Frame& target);
/// @}

/// One row of pixels, channel by channel.
struct BilateralRow {
  const float* planes[4];  ///< Each channel's first pixel.
  std::ptrdiff_t pitch;    ///< Floats between the surrounding rows, which the taps reach.
  std::size_t count;       ///< Pixels.
  float* targets[4];       ///< The result of each channel.
};
void bilateral_row(const BilateralTaps& taps, const BilateralRow& row, int channels,
                   std::uint32_t colors);

}  // namespace cuimg

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
  float likeness =
      0.0f;  ///< The logarithm of the weight by colour is this times the squared difference.

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

/// One row of `count` pixels, channel by channel.
/// @param planes for each channel the row's first pixel; the surrounding rows that the taps reach
/// are `pitch` floats apart. @param targets the result of each channel.
void bilateral_row(const BilateralTaps& taps, const float* const* planes, std::ptrdiff_t pitch,
                   int channels, std::uint32_t colors, std::size_t count, float* const* targets);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// A histogram, and how it is drawn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cuimg {

struct ChannelHistogram {
  std::string name, type;
  double low = 0, high = 1;  ///< What the bins share out evenly; `high` lies in the last one.
  std::vector<std::uint64_t> counts;
  std::uint64_t below = 0, above = 0, nan = 0;
};

/// A group of channels of one type, which are drawn into one frame.
using LayerHistogram = std::vector<ChannelHistogram>;

/// An SVG picture. @param heading the file's name. @param logarithmic how counts are drawn.
std::string histogram_svg(const std::vector<LayerHistogram>& layers, const std::string& heading,
                          bool logarithmic);

}  // namespace cuimg

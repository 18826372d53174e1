// SPDX-License-Identifier: Apache-2.0
// A histogram, and how it is drawn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "image/image.h"
#include "stages/description.h"

namespace cuimg {

struct ChannelHistogram {
  std::string name, type;
  double low = 0, high = 1;  ///< What the bins share out evenly; `high` lies in the last one.
  std::vector<std::uint64_t> counts;
  std::uint64_t below = 0, above = 0, nan = 0;
  std::uint64_t not_positive = 0;  ///< Of a histogram in stops, which has no place for them.
};

/// A group of channels of one type, which are drawn into one frame.
using LayerHistogram = std::vector<ChannelHistogram>;

/// What lies along a plot's axis. Stops are log2(value / 0.18): 0 is mid grey.
enum class PlotScale : std::uint8_t { codes, values, stops };

struct PlotFrame {
  PlotScale scale = PlotScale::values;
  LayerHistogram channels;  ///< Not empty, all with the same bins.
};

/// The channels of a layer in stops: whole stops from the darkest light, but for the last
/// thousandth of it, to the brightest. @param most_bins a stop is cut into as many equal bins as
/// fit in there.
LayerHistogram count_stops(const Image& image, int layer, const ReportContext& context,
                           int most_bins);

/// An SVG picture. @param heading the file's name. @param logarithmic how counts are drawn.
std::string histogram_svg(const std::vector<PlotFrame>& frames, const std::string& heading,
                          bool logarithmic);
/// The same as pixels.
Image histogram_picture(const std::vector<PlotFrame>& frames, const std::string& heading,
                        bool logarithmic);

}  // namespace cuimg

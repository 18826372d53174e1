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
  double low = 0,
         high = 1;  ///< The range that the bins divide evenly; `high` belongs to the last bin.
  std::vector<std::uint64_t> counts;
  std::uint64_t below = 0, above = 0, nan = 0;
  std::uint64_t not_positive = 0;  ///< Values of a histogram in stops that have no logarithm.
};

/// Channels of the same type, which are drawn into one frame.
using LayerHistogram = std::vector<ChannelHistogram>;

/// The quantity along a plot's axis. Stops are log2(value / 0.18): 0 is mid grey.
enum class PlotScale : std::uint8_t { codes, values, stops };

struct PlotFrame {
  PlotScale scale = PlotScale::values;
  LayerHistogram channels;  ///< Not empty, all with the same bins.
};

/// Counts a layer's channels in stops: whole stops from the darkest light, ignoring the darkest
/// thousandth, to the brightest. @param most_bins a stop is divided into as many equal bins as this
/// allows.
LayerHistogram count_stops(const Image& image, int layer, const ReportContext& context,
                           int most_bins);

/// An SVG picture. @param heading the file's name. @param logarithmic whether counts are drawn on a
/// logarithmic scale.
std::string histogram_svg(const std::vector<PlotFrame>& frames, const std::string& heading,
                          bool logarithmic);
/// The same picture as pixels.
Image histogram_picture(const std::vector<PlotFrame>& frames, const std::string& heading,
                        bool logarithmic);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Measurements of an image's colours that stages need before they are prepared. They are the same
// on every device and with any number of threads, since only counts and exact sums are used.
#pragma once

#include <array>
#include <map>
#include <string>

#include "image/image.h"
#include "stages/description.h"

namespace cuimg {

/// A colour channel's value that so many others lie below, and one that as many lie above.
struct ValueEnds {
  float low = 0, high = 0;
  friend bool operator==(const ValueEnds&, const ValueEnds&) = default;
};

/// By a layer's first channel: one for each of its colours.
using EndsByLayer = std::map<std::string, std::array<ValueEnds, 4>>;
using MeansByLayer = std::map<std::string, std::array<double, 4>>;

/// Ends of the finite values of pixels that are not wholly transparent. Layers without any are left
/// out. @param image of float. @param cut_share of the values below `low`, and of those above
/// `high`; less than a half. @param each every channel by itself, else all of a layer's together.
EndsByLayer value_ends(const Image& image, const MeasureContext& context, double cut_share,
                       bool each);

/// Means of the finite values. @param image of float.
MeansByLayer value_means(const Image& image, const MeasureContext& context);

}  // namespace cuimg

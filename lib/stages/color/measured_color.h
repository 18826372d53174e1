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

/// The value of a colour channel with a given number of others below it, and the one with as many
/// above.
struct ValueEnds {
  float low = 0, high = 0;
  friend bool operator==(const ValueEnds&, const ValueEnds&) = default;
};

/// Keyed by a layer's first channel; one entry for each of its colours.
using EndsByLayer = std::map<std::string, std::array<ValueEnds, 4>>;
using MeansByLayer = std::map<std::string, std::array<double, 4>>;

/// Ends of the finite values of pixels that are not wholly transparent. Layers without such pixels
/// are left out. @param image of float. @param cut_share of the values below `low`, and of those
/// above `high`; less than a half. @param each measures every channel separately, otherwise all
/// channels of a layer together.
EndsByLayer value_ends(const Image& image, const MeasureContext& context, double cut_share,
                       bool each);

/// Means of the finite values. @param image of float.
MeansByLayer value_means(const Image& image, const MeasureContext& context);

}  // namespace cuimg

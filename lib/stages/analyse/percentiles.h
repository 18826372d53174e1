// SPDX-License-Identifier: Apache-2.0
// The values below which given shares of a channel's values lie.
#pragma once

#include <span>
#include <vector>

#include "stages/description.h"

namespace cuimg {

/// For each channel of each wanted layer, in the order of tally_channels(), a number for each
/// percent: the value at position (n - 1) percent / 100, counted from 0, of the channel's n sorted
/// finite values, interpolated between neighbours. The result is exact, and the memory needed does
/// not grow with the image.
/// @returns empty lists for channels without finite values.
/// @param percents each from 0 to 100.
std::vector<std::vector<std::vector<double>>> percentiles_of(const Image& image,
                                                             const ReportContext& context,
                                                             std::span<const double> percents);

}  // namespace cuimg

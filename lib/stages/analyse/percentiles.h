// SPDX-License-Identifier: Apache-2.0
// The values below which given shares of a channel's values lie.
#pragma once

#include <span>
#include <vector>

#include "stages/description.h"

namespace cuimg {

/// For each channel of each wanted layer, as tally_channels() has them, a number for each percent:
/// of the channel's n finite values in order the one at (n - 1) percent / 100, counted from 0;
/// between two of them in proportion. Exact, in memory that does not grow with the image.
/// @returns empty lists for channels without finite values.
/// @param percents each from 0 to 100.
std::vector<std::vector<std::vector<double>>> percentiles_of(const Image& image,
                                                             const ReportContext& context,
                                                             std::span<const double> percents);

}  // namespace cuimg

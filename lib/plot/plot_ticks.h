// SPDX-License-Identifier: Apache-2.0
// The numbers along the axes of a plot.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cuimg {

struct PlotTick {
  double at;
  std::string label;
};

/// Round numbers from low to high, about `wanted` of them; none if their distance is too small or
/// too large for a double.
std::vector<PlotTick> round_ticks(double low, double high, int wanted);
/// Codes of integers, 0 to `largest`, by powers of two.
std::vector<PlotTick> code_ticks(double largest);
/// Whole stops.
std::vector<PlotTick> stop_ticks(double low, double high);
/// The values 0.1, 1, 10 and so on, if they are in the range of stops.
std::vector<PlotTick> decade_ticks(double low_stop, double high_stop);
/// Counts from 0 to `most`, by powers of ten if they are drawn logarithmically.
std::vector<PlotTick> count_ticks(double most, bool logarithmic);

/// 1234567 as "1,234,567".
std::string grouped_count(std::uint64_t count);

}  // namespace cuimg

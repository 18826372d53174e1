// SPDX-License-Identifier: Apache-2.0
// The plot of `compare --history`: each metric over several runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compare/report/stored_report.h"

namespace cuimg {

/// A run of compare.
struct HistoryRun {
  std::string label;  ///< What its place on the axis is called: --label's, or the file's name.
  std::vector<StoredPair> pairs;
};

/// An SVG file with a plot for each metric that a run has: the mean of all pairs as a line, with
/// the range from the best pair to the worst around it, and the worst as points. Metrics appear in
/// the order in which reports have them. Colours follow the reader's light or dark scheme.
/// @param runs in their order on the axis. @throws Error when there is no run or no metric.
std::string history_plot(const std::vector<HistoryRun>& runs);

/// Whether a larger value of the metric is a better one: PSNR, SSIM, MS-SSIM.
bool larger_is_better(std::string_view metric);

}  // namespace cuimg

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
  std::string label;  ///< Its name on the axis: from --label, or the file's name.
  std::vector<StoredPair> pairs;
};

/// An SVG file with a plot for each metric that a run has: the mean over all pairs as a line, with
/// the range from the best pair to the worst around it, and the worst as points. Metrics appear in
/// the reports' order. Colours follow the reader's light or dark scheme.
/// @param runs in the axis's order. @throws Error if there is no run or no metric.
std::string history_plot(const std::vector<HistoryRun>& runs);

/// Whether a larger value of the metric is better: PSNR, SSIM, MS-SSIM.
bool larger_is_better(std::string_view metric);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// `cuimg compare --from` and --history: output made from reports that earlier runs printed with
// --json.
#pragma once

#include <string>
#include <vector>

#include "compare/metrics/metric_options.h"
#include "compare/report/html_report.h"
#include "pipeline/options.h"

namespace cuimg {

/// --from: one HTML report of all pairs of stored ones, such as those of several machines, with the
/// pictures that still exist at the stored paths.
/// @param operands of the command, which may have none. @throws Error, also without a folder.
void write_stored_report(const std::vector<std::string>& files,
                         const std::vector<std::string>& operands, HtmlReportOptions options,
                         const MetricOptions& metric, const CommonOptions& common);

/// --history: the plot of several runs, in order. @param output of the SVG file.
/// @throws Error, also if either is empty.
void write_history(const std::vector<std::string>& files, const std::string& output);

}  // namespace cuimg

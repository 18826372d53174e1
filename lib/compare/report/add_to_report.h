// SPDX-License-Identifier: Apache-2.0
// A compared pair of files as a pair of the HTML report, with its pictures, FLIP's maps and what
// was forgiven.
#pragma once

#include <string>

#include "compare/decoded_pair.h"
#include "compare/metrics/metric_options.h"
#include "compare/report/html_report.h"
#include "device/queue.h"

namespace cuimg {

struct ComparedFiles {
  int number = 0;              ///< Its own in the report.
  std::string name;            ///< What the list shows.
  std::string golden, result;  ///< Paths, empty where there is no file.
  bool keeps_pixels = true;    ///< Otherwise a thumbnail alone.
  std::string json;            ///< The pair's object of --json.
  ComparedContent content{};   ///< What of the files was compared.
};

/// Adds the pair. FLIP is drawn of colour layers where both sides have one form.
/// @param decoded what was decoded already. If it is empty the files are read; one that cannot be
/// read is left out. @throws Error when the report cannot be written.
void add_to_report(HtmlReport& report, const ComparedFiles& files, DecodedPair decoded,
                   const MetricOptions& metric, const DecodeOptions& decode, const Queue& queue);

}  // namespace cuimg

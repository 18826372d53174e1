// SPDX-License-Identifier: Apache-2.0
// Adds a compared pair of files to the HTML report, with its pictures, FLIP's maps and the forgiven
// pixels.
#pragma once

#include <string>
#include <vector>

#include "compare/decoded_pair.h"
#include "compare/metrics/metric_options.h"
#include "compare/report/html_report.h"
#include "device/queue.h"

namespace cuimg {

struct ComparedFiles {
  int number = 0;              ///< The pair's number in the report.
  std::string name;            ///< The name shown in the list.
  std::string golden, result;  ///< Paths; empty if there is no file.
  bool keeps_pixels = true;    ///< If false, only a thumbnail is kept.
  std::string json;            ///< The pair's object of --json.
  ComparedContent content{};   ///< The content of the files that was compared.
  /// For files that are read again: the numbers of the parts whose values were compared.
  std::vector<int> compared_parts{};
};

/// Adds the pair. FLIP is drawn for colour layers if it was measured or both sides have the same
/// form.
/// @param decoded the pictures decoded so far. If it is empty, the files are read; a file that
/// cannot be read is left out. @throws Error if the report cannot be written.
void add_to_report(HtmlReport& report, const ComparedFiles& files, DecodedPair decoded,
                   const MetricOptions& metric, const DecodeOptions& decode, const Queue& queue);

}  // namespace cuimg

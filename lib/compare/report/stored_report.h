// SPDX-License-Identifier: Apache-2.0
// Reads a report of `compare --json`, for --from and for --history.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compare/comparison.h"

namespace cuimg {

/// A pair of a stored report.
struct StoredPair {
  std::string golden, result;  ///< Empty where the report has null.
  std::string verdict;         ///< "same", "differs", "error".
  std::string json;            ///< Its object, on one line; `notes` says what it cannot.
  /// Metrics that are numbers; nested objects as dotted names, in the report's order.
  std::vector<std::pair<std::string, double>> metrics;
  std::string name = {};  ///< The path below both folders; empty where the report has none.
  bool has_warnings = false;
  ComparedContent content = {};  ///< What of the files was compared.
  bool is_lone = false;          ///< It was compared without a golden or without a result.
};

struct StoredReport {
  std::string label;  ///< --label's, or empty.
  std::vector<StoredPair> pairs;
};

/// @param text objects a line each, a list of them, or an object with them as `pairs`. Objects
/// without `verdict` describe the run; `label` is read from any object.
/// @param name of the file, for errors. @throws Error.
StoredReport read_stored_report(std::string_view text, const std::string& name);

/// @throws Error naming `name` unless the text is one JSON object.
void check_json_object(std::string_view text, const std::string& name);

}  // namespace cuimg

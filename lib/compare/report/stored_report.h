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
  std::string golden, result;  ///< Empty if the report has null.
  std::string verdict;         ///< "same", "differs", "error".
  /// The pair's object, on one line; `notes` describes what the object lacks.
  std::string json;
  /// Metrics that are numbers; nested objects as dotted names, in the report's order.
  std::vector<std::pair<std::string, double>> metrics;
  std::string name = {};  ///< The path relative to both folders; empty if the report has none.
  bool has_warnings = false;
  ComparedContent content = {};  ///< The content of the files that was compared.
  bool is_lone = false;          ///< Whether it was compared without a golden or without a result.
  std::vector<int> compared_parts = {};  ///< Numbers of the parts whose values were compared.
};

struct StoredReport {
  std::string label;  ///< From --label, or empty.
  std::vector<StoredPair> pairs;
};

/// @param text objects one per line, a list of them, or an object with them as `pairs`. Objects
/// without `verdict` describe the run; `label` is read from any object.
/// @param name of the file, for errors. @throws Error.
StoredReport read_stored_report(std::string_view text, const std::string& name);

/// @throws Error with `name` unless the text is one JSON object.
void check_json_object(std::string_view text, const std::string& name);

}  // namespace cuimg

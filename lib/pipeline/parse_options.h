// SPDX-License-Identifier: Apache-2.0
// Options and files of one segment or command: from words to the members of structs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cuimg {

struct Description;

/// One struct of values, and what describes it.
struct OptionTarget {
  const Description* description;
  void* values;
  /// Names of the parameters that apply; all when absent.
  std::optional<std::vector<std::string>> only = {};
};

/// Sets the targets from `words` (options mixed with files) and returns the files.
/// @param place what an error names first. @throws Error.
std::vector<std::string> parse_options(const std::string& place,
                                       std::span<const OptionTarget> targets,
                                       std::span<const std::string> words);

/// Splits at the first `--`: the options before it and the files after it.
std::pair<std::span<const std::string>, std::span<const std::string>> split_at_dashes(
    std::span<const std::string> words);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Parses the options and files of one segment or command into the members of structs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cuimg {

struct Description;

/// A struct of values, and its description.
struct OptionTarget {
  const Description* description;
  void* values;
  /// Names of the parameters that apply; absent: all.
  std::optional<std::vector<std::string>> only = {};
};

/// Sets the targets from `words` (options mixed with files) and returns the files.
/// @param place the beginning of an error. @throws Error.
std::vector<std::string> parse_options(const std::string& place,
                                       std::span<const OptionTarget> targets,
                                       std::span<const std::string> words);

/// Splits at the first `--`: the options before it and the files after it.
std::pair<std::span<const std::string>, std::span<const std::string>> split_at_dashes(
    std::span<const std::string> words);

}  // namespace cuimg

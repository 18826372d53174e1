// SPDX-License-Identifier: Apache-2.0
// Makes names of files from the names of inputs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace cuimg {

/// The values for a pattern's keys.
struct PatternInput {
  std::string name;    ///< The input's name; "-" for a pipe.
  std::string folder;  ///< The input's folder, for {dir}; may be empty.
  /// The index among the sorted inputs, if {index} is a key.
  std::optional<std::size_t> index = {};
  std::optional<int> frame = {};  ///< The frame in a sequence.
  std::string format = {};        ///< As in --format; then it determines {ext}.
  std::optional<int> part = {};   ///< The part of a file, if each part has an output.
};

/// Fills in a pattern such as `half/{stem}_s.{ext}`, `{frame:05}.png` or, with an offset,
/// `{frame-1000:04}.png`. `{{` is a brace.
/// @param place for errors. @throws Error.
std::string fill_pattern(const std::string& pattern, const PatternInput& input,
                         const std::string& place);

/// The input's name without its folders, and with the output format's extension.
std::string file_name_for(const PatternInput& input);

}  // namespace cuimg

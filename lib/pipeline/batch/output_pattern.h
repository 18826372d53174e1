// SPDX-License-Identifier: Apache-2.0
// Names of files made from those of inputs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace cuimg {

/// The values for a pattern's keys.
struct PatternInput {
  std::string name;                       ///< The input's; "-" for a pipe.
  std::string folder;                     ///< Of the input, for {dir}; may be empty.
  std::optional<std::size_t> index = {};  ///< Among the sorted inputs, where {index} is a key.
  std::optional<int> frame = {};          ///< Of a sequence.
  std::string format = {};                ///< As --format has it; its extension is {ext} then.
  std::optional<int> part = {};           ///< Of a file, where each part has an output.
};

/// A pattern such as `half/{stem}_s.{ext}`, `{frame:05}.png` or, counted from elsewhere,
/// `{frame-1000:04}.png` filled in. `{{` is a brace.
/// @param place for errors. @throws Error.
std::string fill_pattern(const std::string& pattern, const PatternInput& input,
                         const std::string& place);

/// The input's name without its folders, with the output format's extension.
std::string file_name_for(const PatternInput& input);

}  // namespace cuimg

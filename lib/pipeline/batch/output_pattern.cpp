// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/output_pattern.h"

#include <string_view>

#include "io/codec.h"
#include "io/folder_entry.h"
#include "options/name_pattern.h"
#include "pipeline/options.h"

namespace cuimg {
namespace {

std::string output_extension(const PatternInput& input) {
  if (!input.format.empty())
    return std::string(codec_for_output("", input.format).extensions.front());
  if (input.name == "-") return std::string(pipe_format);
  return file_extension(input.name);
}

// The value that replaces a key.
std::string value_of(std::string_view key, const PatternInput& input, const std::string& place) {
  if (key == "ext") return output_extension(input);
  if (key == "dir") return input.folder.empty() ? "." : input.folder;
  if (input.index)
    if (const auto index = value_of_number(key, "index", static_cast<std::int64_t>(*input.index)))
      return *index;
  if (const auto value = value_of_name(key, {input.name, input.frame, input.part}, place))
    return *value;
  if (!input.index) throw_unknown_key(key, place, {"frame", "part"}, stage_file_keys);
  throw_unknown_key(key, place, {"index", "frame", "part"}, pattern_keys);
}

}  // namespace

std::string fill_pattern(const std::string& pattern, const PatternInput& input,
                         const std::string& place) {
  return fill_keys(pattern, [&](std::string_view key) { return value_of(key, input, place); });
}

std::string file_name_for(const PatternInput& input) {
  const std::string ending = output_extension(input);
  return ending.empty() ? stem_of(input.name) : stem_of(input.name) + "." + ending;
}

}  // namespace cuimg

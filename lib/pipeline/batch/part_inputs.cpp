// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/part_inputs.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "pipeline/batch/output_pattern.h"
#include "pipeline/decode_options.h"
#include "pipeline/run/parts.h"

namespace cuimg {
namespace {

bool names_parts(const Invocation& invocation) {
  return (invocation.output && invocation.output_by_option &&
          pattern_names(*invocation.output, "part")) ||
         std::ranges::any_of(invocation.tees, [](const Tee& tee) {
           return pattern_names(tee.common.output, "part");
         });
}

// The parts that --part takes. @returns the first where the file cannot be opened, or lacks the one
// that --part names; then the input's problem says so, or its run will.
std::vector<int> parts_of(Input& input, const CommonOptions& common) {
  std::unique_ptr<ImageFile> file;
  try {
    file = open_file(ByteSource::open(input.path(), common.scratch), decode_options(common));
  } catch (const Error&) {
    return {0};
  }
  try {
    return choose_parts(*file, common.part, input.path()).numbers;
  } catch (const Error& error) {
    const std::string line = error.what(), start = input.path() + ": ";
    input.problem = line.starts_with(start) ? line.substr(start.size()) : line;
    return {0};
  }
}

}  // namespace

std::vector<Input> inputs_by_part(std::vector<Input> inputs, const Invocation& invocation) {
  if (!names_parts(invocation)) return inputs;
  if (invocation.common.in_place)
    throw Error("--in-place", "where {part} is named, each part has an output of its own",
                "write to other files");
  std::vector<Input> result;
  for (Input& input : inputs) {
    if (input.name == "-")
      throw Error("-", "the parts of a pipe are not known before it is read", "name a file");
    const std::vector<int> parts =
        input.problem.empty() ? parts_of(input, invocation.common) : std::vector<int>{0};
    for (const int part : parts) {
      result.push_back(input);
      result.back().part = part;
    }
  }
  return result;
}

}  // namespace cuimg

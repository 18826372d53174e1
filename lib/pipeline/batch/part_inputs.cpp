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

std::vector<int> parts_of(const Input& input, const CommonOptions& common) {
  try {
    const auto source = ByteSource::open(input.path(), common.scratch);
    const auto file = open_file(source, decode_options(common));
    return choose_parts(*file, common.part, source->name()).numbers;
  } catch (const Error&) {
    return {0};
  }
}

}  // namespace

std::vector<Input> inputs_by_part(std::vector<Input> inputs, const Invocation& invocation) {
  if (!names_parts(invocation)) return inputs;
  std::vector<Input> result;
  for (Input& input : inputs) {
    if (input.name == "-")
      throw Error("-", "the parts of a pipe are not known before it is read", "name a file");
    if (!input.problem.empty()) {
      result.push_back(std::move(input));
      continue;
    }
    for (const int part : parts_of(input, invocation.common)) {
      result.push_back(input);
      result.back().part = part;
    }
  }
  return result;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/part_inputs.h"

#include <algorithm>

#include "base/error.h"
#include "options/name_pattern.h"
#include "pipeline/decode_options.h"
#include "pipeline/part_limits.h"
#include "pipeline/run/layers_of_parts.h"
#include "pipeline/run/parts.h"

namespace cuimg {
namespace {

bool names_parts(const Invocation& invocation) {
  return (invocation.output && invocation.output_by_option &&
          has_key(*invocation.output, "part")) ||
         std::ranges::any_of(invocation.tees,
                             [](const Tee& tee) { return has_key(tee.common.output, "part"); });
}

// Each part is run separately: a file is only refused here if it is far too small for all of them.
void check_together(ImageFile& file, const std::vector<int>& parts, const ByteSource& source,
                    std::uint64_t limit) {
  constexpr std::uint64_t in_byte = pixels_of_parts_in_byte;
  if (source.bytes().size() > limit / in_byte * pixels_of_parts_in_limit) return;
  std::uint64_t pixels = 0;
  for (const int part : parts) {
    try {
      pixels += static_cast<std::uint64_t>(file.open(part)->spec().data_window.pixels());
    } catch (const Error&) {
      continue;  // its run will report this
    }
    check_pixels_of_parts(pixels, source, limit);
  }
}

// The parts that --part selects. @returns the first part if the file cannot be opened, or lacks the
// part that --part names; then the input's problem, or its run, reports this.
std::vector<int> parts_of(Input& input, const CommonOptions& common) {
  std::shared_ptr<const ByteSource> source;
  std::unique_ptr<ImageFile> file;
  try {
    source = ByteSource::open(input.path(), common.scratch);
    file = open_file(source, decode_options(common));
  } catch (const Error&) {
    return {0};
  }
  try {
    std::vector<int> numbers = choose_parts(*file, common.part, input.path()).numbers;
    if (const LayersOfParts layers(*file, common); layers.apply())
      numbers = layers.parts_with_any();
    check_together(*file, numbers, *source, common.limit_pixels);
    return numbers;
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
    throw Error("--in-place", "with {part} in the name each part has an output of its own",
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

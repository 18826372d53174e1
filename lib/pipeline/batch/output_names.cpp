// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/output_names.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "pipeline/batch/output_pattern.h"

namespace cuimg {
namespace {

namespace fs = std::filesystem;

bool has_braces(const std::string& output) {
  return output.find_first_of("{}") != std::string::npos;
}

bool names_folder(const std::string& output) {
  std::error_code ignored;
  return output.ends_with('/') || (output != "-" && fs::is_directory(output, ignored));
}

bool any_frame(const std::vector<Input>& inputs) {
  return std::ranges::any_of(inputs, [](const Input& input) { return input.frame.has_value(); });
}

// A file may literally be named in.####.exr.
bool any_named_so(const std::vector<Input>& inputs) {
  return std::ranges::any_of(inputs, [](const Input& input) { return names_frames(input.name); });
}

}  // namespace

OutputNames::OutputNames(const std::string& output, bool may_be_pattern,
                         const std::vector<Input>& inputs)
    : output_(output),
      is_pattern_(may_be_pattern && has_braces(output)),
      is_folder_(!is_pattern_ && names_folder(output)),
      is_frames_(names_frames(output) && any_frame(inputs)) {
  // The file would later be read instead of the sequence that its name describes.
  if (names_frames(output) && !inputs.empty() && !is_frames_ && !is_folder_ &&
      !any_named_so(inputs))
    throw Error(output, "it needs frame numbers, but no INPUT is a sequence",
                "name an INPUT like in.####.exr, or this file without #");
}

void OutputNames::check_names_many(const std::vector<Input>& inputs,
                                   const std::string& first) const {
  if (is_pattern_ || is_folder_ || is_frames_ || output_.empty() || output_ == "-") return;
  const bool of_folder =
      inputs.size() == 1 && !inputs.front().frame && inputs.front().name != first;
  if (inputs.size() < 2 && !of_folder) return;
  const bool has_one_mark = output_.find('#') != std::string::npos && any_frame(inputs);
  throw Error(output_, "it is one name for several images",
              has_one_mark ? "a frame number is written as two or more #, as in out.##.png"
                           : "end it with / to name a folder, or use -o with {stem} in the name");
}

Job OutputNames::job(const Input& input, std::size_t index, const std::string& format) const {
  const std::optional<int> frame = input.frame ? std::optional(input.frame->frame) : std::nullopt;
  const PatternInput given{input.name, input.dir(), index, frame, format, input.part};
  Job job{{input.path()}, output_};
  job.problem = input.problem;
  job.part = input.part;
  job.image = {input.name, frame};
  job.black = input.frame && input.frame->black;
  job.makes_folders = is_pattern_ || is_folder_ || is_frames_;
  job.keeps_extension = format.empty() && keeps_extension();
  if (is_pattern_) job.output = fill_pattern(output_, given, "-o " + output_);
  if (is_folder_)
    job.output = (fs::path(output_) / input.found_in.value_or("") / file_name_for(given)).string();
  if (is_frames_ && frame) job.output = name_of_frame(job.output, *frame);
  return job;
}

bool OutputNames::keeps_extension() const {
  return is_folder_ || (is_pattern_ && (output_.ends_with("{ext}") || output_.ends_with("{name}")));
}

std::vector<std::string> output_folders(const Invocation& invocation) {
  std::vector<std::string> folders;
  const auto add = [&](const std::string& output, bool may_be_pattern) {
    if (may_be_pattern && has_braces(output)) {
      const std::string fixed = output.substr(0, output.find_first_of("{}"));
      folders.push_back(fixed.substr(0, fixed.rfind('/') + 1));
    } else if (names_folder(output)) {
      folders.push_back(output);
    }
  };
  add(invocation.output.value_or(""), invocation.output_by_option);
  for (const Tee& tee : invocation.tees) add(tee.common.output, true);
  return folders;
}

}  // namespace cuimg

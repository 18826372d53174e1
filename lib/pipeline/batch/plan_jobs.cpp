// SPDX-License-Identifier: Apache-2.0
// Turns the files, folders and pattern of a command line into a list of jobs.
#include "pipeline/batch/plan_jobs.h"

#include <algorithm>
#include <exception>
#include <filesystem>

#include "base/error.h"
#include "base/message_text.h"
#include "io/codec.h"
#include "options/name_pattern.h"
#include "pipeline/batch/collisions.h"
#include "pipeline/batch/output_names.h"
#include "pipeline/batch/overwriting.h"
#include "pipeline/batch/stage_files.h"
#include "pipeline/decode_options.h"
#include "pipeline/part_limits.h"
#include "pipeline/run/layers_of_parts.h"
#include "pipeline/run/parts.h"

namespace cuimg {
namespace {

namespace fs = std::filesystem;

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

// The inputs, repeated for each part that --part selects if a pattern of the command contains
// {part}; otherwise unchanged. Headers are read for this. A file that cannot be opened remains one
// input, which fails separately. @throws Error for a pipe, and with --in-place.
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

// Reported once, instead of as an error of every image.
void check_stages_files(const Invocation& invocation) {
  std::error_code ignored;
  for (const FileOfStage& file : files_of(invocation.stages))
    if (file.is_certain && file.path != "-" && !depends_on_input(file) &&
        fs::status(file.path, ignored).type() == fs::file_type::not_found)
      throw Error(file.place(), "no such file", advice_on_numbers(file.path));
}

// One output of all inputs, in the order of the command line, or of none.
Job single_job(const std::vector<Input>& inputs, const OutputNames& names,
               const std::string& output, const CommonOptions& common) {
  const char* const advice = "name the file to write";
  if (!inputs.empty() && (names.is_folder() || names.is_pattern() || names.is_frames()))
    throw Error(output, "all inputs become one image", advice);
  if (names.is_folder()) throw Error(output, "it is a folder", advice);
  if (names.is_pattern()) throw Error("-o " + output, "there is no INPUT to fill it in", advice);
  if (!output.empty()) codec_for_output(output, common.format);
  Job job{{}, output};
  for (const Input& input : inputs) {
    if (!input.problem.empty()) throw Error(input.name, input.problem);
    job.inputs.push_back(input.path());
  }
  return job;
}

// One job for each input, with one output or none.
std::vector<Job> jobs_of_inputs(const Invocation& invocation, const std::vector<Input>& inputs,
                                const OutputNames& names, const CommonOptions& common) {
  names.check_names_many(inputs, invocation.inputs.front());
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    jobs.push_back(names.job(inputs[i], i, common.format));
    if (!common.in_place) continue;
    jobs.back().output = inputs[i].path();
    jobs.back().keeps_extension = true;
  }
  return jobs;
}

// The outputs at one place in the chain: at its end, or of a tee.
std::vector<Job> jobs_of_place(const Invocation& invocation, const std::vector<Input>& inputs,
                               const std::string& output, bool may_be_pattern,
                               const CommonOptions& common) {
  const OutputNames names(output, may_be_pattern, inputs);
  if (inputs.empty() || reduces(invocation.stages))
    return {single_job(inputs, names, output, common)};
  return jobs_of_inputs(invocation, inputs, names, common);
}

// "OpenEXR with --compression dwaa or dwab, or JPEG".
std::string formats_with_quality() {
  std::string formats;
  for (const Codec& codec : codecs()) {
    const std::vector<std::string_view>& lossy = codec.capabilities.lossy;
    if (lossy.empty()) continue;
    add_item(formats, codec.description, ", or ");
    if (lossy == codec.compressions) continue;
    for (const std::string_view name : lossy)
      formats += (name == lossy.front() ? " with --compression " : " or ") + std::string(name);
  }
  return formats;
}

// A missing INPUT is reported first: if its name has no extension, its output has no known format
// only for this reason.
void check_inputs_exist(const std::vector<Job>& jobs) {
  std::error_code ignored;
  for (const Job& job : jobs)
    for (const std::string& input : job.inputs)
      if (input != "-" && fs::status(input, ignored).type() == fs::file_type::not_found)
        throw Error(input, "no such file");
}

// At least one output's format must be known, and --quality must apply to at least one: a folder
// may contain photographs together with pictures to which no quality applies, and with pictures in
// formats that are only read, which then fail separately.
void check_formats(const std::vector<Job>& jobs, const CommonOptions& common) {
  bool quality_applies = !common.quality || jobs.empty(), can_write = false;
  std::exception_ptr problem;
  for (const Job& job : jobs) {
    if (job.output.empty() || !job.problem.empty()) continue;
    try {
      const Codec& codec = codec_for_output(job.output, common.format);
      quality_applies = quality_applies || codec.uses_quality(common.compression);
      can_write = true;
    } catch (const Error&) {
      problem = std::current_exception();
    }
  }
  if (problem && !can_write) {
    check_inputs_exist(jobs);
    std::rethrow_exception(problem);
  }
  if (!quality_applies)
    throw Error("--quality " + std::to_string(*common.quality), "no output uses it",
                "write " + formats_with_quality());
}

}  // namespace

std::vector<Job> plan_jobs(const Invocation& invocation) {
  Remarks remarks;
  return plan_jobs(invocation, remarks);
}

std::vector<Job> plan_jobs(const Invocation& invocation, Remarks& remarks) {
  std::vector<Input> inputs = inputs_by_part(open_inputs(invocation, remarks), invocation);
  std::vector<std::vector<StageFile>> stage_files = stage_files_of(invocation, inputs);
  std::vector<Job> jobs = jobs_of_place(invocation, inputs, invocation.output.value_or(""),
                                        invocation.output_by_option, invocation.common);
  for (const Tee& tee : invocation.tees) {
    std::vector<Job> made = jobs_of_place(invocation, inputs, tee.common.output, true, tee.common);
    check_formats(made, tee.common);
    for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].tees.push_back(std::move(made[i]));
  }
  for (std::size_t i = 0; i < stage_files.size(); ++i)
    jobs[i].stage_files = std::move(stage_files[i]);
  check_collisions(jobs, inputs, invocation);
  check_overwriting(jobs, invocation);
  check_formats(jobs, invocation.common);
  check_stages_files(invocation);
  return jobs;
}

}  // namespace cuimg

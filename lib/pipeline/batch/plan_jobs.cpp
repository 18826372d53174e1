// SPDX-License-Identifier: Apache-2.0
// From the files, folders and pattern of a command line to a list of jobs.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>

#include "base/error.h"
#include "io/codec.h"
#include "pipeline/batch/jobs.h"
#include "pipeline/batch/output_pattern.h"
#include "pipeline/batch/overwriting.h"
#include "pipeline/batch/sequence.h"

namespace cuimg {
namespace {

namespace fs = std::filesystem;

struct Input {
  std::string name;                ///< What the output is named after.
  std::string folder = {};         ///< Its folder below the one that was named.
  std::optional<FrameFile> frame;  ///< Of a sequence; its file is read in place of `name`.
  friend bool operator==(const Input& a, const Input& b) { return a.name == b.name; }

  const std::string& path() const { return frame ? frame->path : name; }
};

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::string extension(const std::string& path) {
  const std::string dotted = fs::path(path).extension().string();
  return dotted.empty() ? dotted : dotted.substr(1);
}

// A folder's images are found by their names: opening thousands of files to sniff them takes too
// long. Names that begin with a dot, as unfinished outputs do, are left out.
bool is_image_name(const fs::path& path) {
  const std::string name = path.filename().string();
  return !name.starts_with('.') && codec_named(extension(name)) != nullptr;
}

template <class Iterator>
void list(const std::string& folder, std::vector<Input>& inputs) {
  try {
    for (const fs::directory_entry& entry : Iterator(folder)) {
      if (!is_image_name(entry.path()) || entry.is_directory()) continue;
      const std::string below = entry.path().parent_path().lexically_relative(folder).string();
      inputs.push_back({entry.path().string(), below == "." ? "" : below, {}});
    }
  } catch (const fs::filesystem_error& error) {
    throw Error(folder, error.code().message());
  }
}

bool by_name(const Input& a, const Input& b) { return a.name < b.name; }

// A file that is literally named so is no sequence.
bool is_sequence(const std::string& name) {
  std::error_code ignored;
  return names_frames(name) && !fs::exists(name, ignored);
}

void check_frames_are_used(const Invocation& invocation) {
  const CommonOptions& common = invocation.common;
  if (common.frames.empty() && common.missing == MissingFrames::error) return;
  if (std::any_of(invocation.inputs.begin(), invocation.inputs.end(), is_sequence)) return;
  throw Error(common.frames.empty() ? "--missing" : "--frames " + format_value(common.frames),
              "no INPUT is a sequence", "name it as in.####.exr or in.%04d.exr");
}

std::vector<Input> open_inputs(const Invocation& invocation) {
  check_frames_are_used(invocation);
  std::vector<Input> inputs;
  for (const std::string& named : invocation.inputs) {
    if (named != "-" && is_sequence(named)) {
      for (FrameFile& file :
           find_frames(named, invocation.common.frames, invocation.common.missing))
        inputs.push_back({name_of_frame(named, file.frame), "", std::move(file)});
      continue;
    }
    if (named == "-" || !is_folder(named)) {
      inputs.push_back({named, "", {}});
      continue;
    }
    const std::size_t before = inputs.size();
    if (invocation.common.recursive) {
      list<fs::recursive_directory_iterator>(named, inputs);
    } else {
      list<fs::directory_iterator>(named, inputs);
    }
    std::sort(inputs.begin() + static_cast<std::ptrdiff_t>(before), inputs.end(), by_name);
    if (inputs.size() == before)
      throw Error(named, "the folder holds no images",
                  invocation.common.recursive ? "" : "-r descends into its folders");
  }
  // One image made of all, and reports, keep the order of the command line, where an input may be
  // named twice.
  if (reduces(invocation.stages) || sink_of(invocation.stages) != nullptr) return inputs;
  std::stable_sort(inputs.begin(), inputs.end(), by_name);
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  return inputs;
}

void check_collisions(const std::vector<Job>& jobs) {
  std::map<std::string, const Job*> by_output;
  for (const Job& job : jobs) {
    if (job.output.empty()) continue;
    if (job.output == "-") {
      if (jobs.size() > 1)
        throw Error("-o -", fmt::format("{} images for one pipe", jobs.size()), "use -o DIR/");
      continue;
    }
    const auto [other, fresh] = by_output.emplace(same_file_key(job.output), &job);
    if (!fresh)
      throw Error(job.output, "both " + other->second->name() + " and " + job.name() + " become it",
                  "use -r, or {dir} or {index} in the pattern");
  }
}

// All inputs become one output, in the order in which they were named.
Job reducing_job(const std::vector<Input>& inputs, const std::string& output, bool many,
                 const std::string& format) {
  if (many) throw Error(output, "all inputs become one image", "name the file to write");
  codec_for_output(output, format);
  Job job{{}, output};
  for (const Input& input : inputs) job.inputs.push_back(input.path());
  return job;
}

// "OpenEXR with --compression dwaa or dwab, or JPEG".
std::string formats_with_quality() {
  std::string formats;
  for (const Codec& codec : codecs()) {
    const std::vector<std::string_view>& lossy = codec.capabilities.lossy;
    if (lossy.empty()) continue;
    formats += (formats.empty() ? "" : ", or ") + std::string(codec.description);
    if (lossy == codec.compressions) continue;
    for (const std::string_view name : lossy)
      formats += (name == lossy.front() ? " with --compression " : " or ") + std::string(name);
  }
  return formats;
}

// At least one output's format is known, and at least one has use for --quality: a folder may mix
// photographs with pictures that no quality applies to, and with some that are only read, which
// then fail by themselves.
void check_formats(const std::vector<Job>& jobs, const CommonOptions& common) {
  bool quality_applies = !common.quality || jobs.empty(), can_write = false;
  std::exception_ptr problem;
  for (const Job& job : jobs) {
    if (job.output.empty()) continue;
    try {
      const Codec& codec = codec_for_output(job.output, common.format);
      quality_applies = quality_applies || codec.uses_quality(common.compression);
      can_write = true;
    } catch (const Error&) {
      problem = std::current_exception();
    }
  }
  if (problem && !can_write) std::rethrow_exception(problem);
  if (!quality_applies)
    throw Error("--quality " + std::to_string(*common.quality), "no output has use for it",
                "write " + formats_with_quality());
}

}  // namespace

std::vector<Job> plan_jobs(const Invocation& invocation) {
  const std::string format = invocation.common.format;
  const std::string output = invocation.output.value_or("");
  const bool pattern =
      invocation.output_by_option && output.find_first_of("{}") != std::string::npos;
  const bool folder = !pattern && (output.ends_with('/') || (output != "-" && is_folder(output)));

  std::vector<Job> jobs;
  if (invocation.inputs.empty()) {
    if (folder) throw Error(output, "it is a folder", "name the file to write");
    if (pattern)
      throw Error("-o " + output, "there is no INPUT to fill it", "name the file to write");
    jobs.push_back({{}, output});
  }
  const std::vector<Input> inputs = open_inputs(invocation);
  if (reduces(invocation.stages)) {
    jobs = {reducing_job(inputs, output, pattern || folder, format)};
    check_overwriting(jobs, invocation);
    return jobs;
  }
  const bool frames = names_frames(output) &&
                      std::any_of(inputs.begin(), inputs.end(),
                                  [](const Input& input) { return input.frame.has_value(); });
  const bool one_file = !pattern && !folder && !frames && !output.empty() && output != "-";
  const bool of_folder = inputs.size() == 1 && !inputs.front().frame &&
                         inputs.front().name != invocation.inputs.front();
  if (one_file && (inputs.size() > 1 || of_folder))
    throw Error(output, "it is one name for several images",
                "end it with / for a folder, or use -o with {stem} in it");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Input& input = inputs[i];
    const PatternInput given{input.name, input.folder, i,
                             input.frame ? std::optional(input.frame->frame) : std::nullopt,
                             format};
    Job job{{input.path()}, output};
    job.black = input.frame && input.frame->black;
    job.makes_folders = pattern || folder || frames;
    if (invocation.common.in_place) job.output = input.path();
    if (pattern) job.output = fill_pattern(output, given);
    if (folder) job.output = (fs::path(output) / input.folder / file_name_for(given)).string();
    if (frames && input.frame) job.output = name_of_frame(job.output, input.frame->frame);
    jobs.push_back(std::move(job));
  }
  check_collisions(jobs);
  check_overwriting(jobs, invocation);
  check_formats(jobs, invocation.common);
  return jobs;
}

}  // namespace cuimg

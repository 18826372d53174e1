// SPDX-License-Identifier: Apache-2.0
// From the files, folders and pattern of a command line to a list of jobs.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "base/error.h"
#include "io/codec.h"
#include "io/folder_entry.h"
#include "pipeline/batch/file_keys.h"
#include "pipeline/batch/frame_files.h"
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

bool is_directory(const std::string& path) {
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
  std::string opened = folder;  // the last one; errors do not say which it was
  try {
    for (const fs::directory_entry& entry : Iterator(folder)) {
      if (entry.is_directory()) opened = entry.path().string();
      if (!is_image_name(entry.path()) || entry.is_directory() || is_pipe_or_device(entry))
        continue;
      const std::string below = entry.path().parent_path().lexically_relative(folder).string();
      inputs.push_back({entry.path().string(), below == "." ? "" : below, {}});
    }
  } catch (const fs::filesystem_error& error) {
    throw Error(opened, error.code().message());
  }
}

bool by_name(const Input& a, const Input& b) { return a.name < b.name; }

void check_frames_are_used(const Invocation& invocation) {
  const CommonOptions& common = invocation.common;
  if (common.frames.empty() && common.missing == MissingFrames::error) return;
  if (std::ranges::any_of(invocation.inputs, is_sequence)) return;
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
    if (named == "-" || !is_directory(named)) {
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
  std::ranges::stable_sort(inputs, by_name);
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  return inputs;
}

// Files that options of stages name, one for each frame of the inputs. Inputs whose frame lacks one
// are left out, where --missing says so.
std::optional<FrameFiles> open_frame_files(const Invocation& invocation,
                                           std::vector<Input>& inputs) {
  const std::vector<FileOfStage> sequences = sequences_of(invocation.stages);
  if (sequences.empty()) return std::nullopt;
  const auto other = std::ranges::find_if(inputs, [](const Input& input) { return !input.frame; });
  std::string problem;
  if (inputs.empty())
    problem = "this chain takes no INPUT";
  else if (reduces(invocation.stages))
    problem = "all INPUTs become one image";
  else if (other != inputs.end())
    problem = other->name + " is none";
  if (!problem.empty())
    throw Error(sequences.front().place(),
                "no such file; a sequence needs INPUT to be one, and " + problem,
                "name INPUT as in.####.exr");
  std::set<int> frames;
  for (const Input& input : inputs) frames.insert(input.frame->frame);
  FrameFiles files(invocation.stages, frames, invocation.common.missing);
  std::erase_if(inputs, [&](const Input& input) { return !files.has(input.frame->frame); });
  if (inputs.empty())
    throw Error(sequences.front().place(), "no frame has every file that is read with it");
  return files;
}

// Once, rather than as an error of every image.
void check_stages_files(const Invocation& invocation) {
  std::error_code ignored;
  for (const FileOfStage& file : files_of(invocation.stages))
    if (file.is_certain && file.path != "-" && !is_sequence(file.path) &&
        fs::status(file.path, ignored).type() == fs::file_type::not_found)
      throw Error(file.place(), "no such file");
}

void check_collisions(const std::vector<Job>& jobs, bool recursive) {
  FileKeys keys;
  std::map<std::string, const Job*> by_output;
  std::size_t pipes = 0;
  for (const Job& job : jobs)
    for (const Job* const made : outputs_of(job)) {
      if (made->output == "-") {
        ++pipes;
        continue;
      }
      const auto [other, fresh] = by_output.emplace(keys.of(made->output), &job);
      if (fresh) continue;
      if (other->second == &job)
        throw Error(made->output, "two outputs of the chain become it", "name each differently");
      throw Error(made->output,
                  "both " + other->second->name() + " and " + job.name() + " become it",
                  recursive ? "use -o with {dir} or {index} in it"
                            : "use -r, or {dir} or {index} in the pattern");
    }
  if (pipes > 1) throw Error("-o -", fmt::format("{} images for one pipe", pipes), "use -o DIR/");
  const bool prints = std::ranges::any_of(jobs, [](const Job& job) { return job.output.empty(); });
  if (pipes > 0 && prints) throw Error("tee -", "the last stage prints there", "name a file");
}

// How outputs are named after inputs: by one name, a folder, a pattern or a sequence.
class OutputNames {
 public:
  /// @param may_be_pattern braces in the name are places to fill.
  OutputNames(const std::string& output, bool may_be_pattern, const std::vector<Input>& inputs)
      : output_(output),
        is_pattern_(may_be_pattern && output.find_first_of("{}") != std::string::npos),
        is_folder_(!is_pattern_ &&
                   (output.ends_with('/') || (output != "-" && is_directory(output)))),
        is_frames_(names_frames(output) && std::ranges::any_of(inputs, [](const Input& input) {
                     return input.frame.has_value();
                   })) {}

  bool is_pattern() const { return is_pattern_; }
  bool is_folder() const { return is_folder_; }
  /// @throws Error where it is one name for several images. @param first what the first was named.
  void check_names_many(const std::vector<Input>& inputs, const std::string& first) const {
    if (is_pattern_ || is_folder_ || is_frames_ || output_.empty() || output_ == "-") return;
    const bool of_folder =
        inputs.size() == 1 && !inputs.front().frame && inputs.front().name != first;
    if (inputs.size() > 1 || of_folder)
      throw Error(output_, "it is one name for several images",
                  "end it with / for a folder, or use -o with {stem} in it");
  }
  /// Of one input.
  Job job(const Input& input, std::size_t index, const std::string& format) const {
    const std::optional<int> frame = input.frame ? std::optional(input.frame->frame) : std::nullopt;
    const PatternInput given{input.name, input.folder, index, frame, format};
    Job job{{input.path()}, output_};
    job.black = input.frame && input.frame->black;
    job.makes_folders = is_pattern_ || is_folder_ || is_frames_;
    job.keeps_extension = format.empty() && keeps_extension();
    if (is_pattern_) job.output = fill_pattern(output_, given);
    if (is_folder_) job.output = (fs::path(output_) / input.folder / file_name_for(given)).string();
    if (is_frames_ && frame) job.output = name_of_frame(job.output, *frame);
    return job;
  }

 private:
  bool keeps_extension() const {
    return is_folder_ ||
           (is_pattern_ && (output_.ends_with("{ext}") || output_.ends_with("{name}")));
  }

  const std::string output_;
  const bool is_pattern_, is_folder_, is_frames_;
};

// One output of all inputs, in the order in which they were named, or of none.
Job single_job(const std::vector<Input>& inputs, const OutputNames& names,
               const std::string& output, const CommonOptions& common) {
  const char* const advice = "name the file to write";
  if (!inputs.empty() && (names.is_folder() || names.is_pattern()))
    throw Error(output, "all inputs become one image", advice);
  if (names.is_folder()) throw Error(output, "it is a folder", advice);
  if (names.is_pattern()) throw Error("-o " + output, "there is no INPUT to fill it", advice);
  if (!output.empty()) codec_for_output(output, common.format);
  Job job{{}, output};
  for (const Input& input : inputs) job.inputs.push_back(input.path());
  return job;
}

// One job for each input, each with one output, or none.
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

// The outputs of one place in the chain: of its end, or of a tee.
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
  std::vector<Input> inputs = open_inputs(invocation);
  const std::optional<FrameFiles> frame_files = open_frame_files(invocation, inputs);
  std::vector<Job> jobs = jobs_of_place(invocation, inputs, invocation.output.value_or(""),
                                        invocation.output_by_option, invocation.common);
  for (const Tee& tee : invocation.tees) {
    std::vector<Job> made = jobs_of_place(invocation, inputs, tee.common.output, true, tee.common);
    check_formats(made, tee.common);
    for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].tees.push_back(std::move(made[i]));
  }
  if (frame_files)
    for (std::size_t i = 0; i < jobs.size(); ++i)
      jobs[i].stage_files = frame_files->of(inputs[i].frame->frame);
  check_collisions(jobs, invocation.common.recursive);
  check_overwriting(jobs, invocation);
  check_formats(jobs, invocation.common);
  check_stages_files(invocation);
  return jobs;
}

}  // namespace cuimg

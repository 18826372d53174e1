// SPDX-License-Identifier: Apache-2.0
// From the files, folders and pattern of a command line to a list of jobs.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/error.h"
#include "io/codec.h"
#include "pipeline/batch/jobs.h"

namespace cuimg {
namespace {

namespace fs = std::filesystem;

// An input and its folder below the one that was named.
struct Input {
  std::string path;
  std::string folder;
  friend bool operator==(const Input& a, const Input& b) { return a.path == b.path; }
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
      inputs.push_back({entry.path().string(), below == "." ? "" : below});
    }
  } catch (const fs::filesystem_error& error) {
    throw Error(folder, error.code().message());
  }
}

bool by_path(const Input& a, const Input& b) { return a.path < b.path; }

std::vector<Input> open_folders(const Invocation& invocation) {
  std::vector<Input> inputs;
  for (const std::string& named : invocation.inputs) {
    if (named == "-" || !is_folder(named)) {
      inputs.push_back({named, ""});
      continue;
    }
    const std::size_t before = inputs.size();
    if (invocation.common.recursive) {
      list<fs::recursive_directory_iterator>(named, inputs);
    } else {
      list<fs::directory_iterator>(named, inputs);
    }
    std::sort(inputs.begin() + static_cast<std::ptrdiff_t>(before), inputs.end(), by_path);
    if (inputs.size() == before)
      throw Error(named, "the folder holds no images",
                  invocation.common.recursive ? "" : "-r descends into its folders");
  }
  // One image made of all, and reports, keep the order of the command line, where an input may be
  // named twice.
  if (reduces(invocation.stages) || sink_of(invocation.stages) != nullptr) return inputs;
  std::stable_sort(inputs.begin(), inputs.end(), by_path);
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  return inputs;
}

std::string output_extension(const std::string& input, const std::string& format) {
  if (!format.empty()) return std::string(codec_for_output("", format).extensions.front());
  return input == "-" ? std::string(pipe_format) : extension(input);
}

std::string file_name(const std::string& input, const std::string& format) {
  const std::string stem = input == "-" ? "stdin" : fs::path(input).stem().string();
  const std::string ending = output_extension(input, format);
  return ending.empty() ? stem : stem + "." + ending;
}

std::string same_file_key(const std::string& path) {
  std::error_code ignored;
  fs::path absolute = fs::weakly_canonical(path, ignored);
  if (absolute.empty()) absolute = fs::absolute(path, ignored);
  return absolute.lexically_normal().string();
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
  if (jobs.size() < 2) return;
  for (const Job& job : jobs)
    for (const std::string& input : job.inputs) {
      const auto writer = by_output.find(same_file_key(input));
      if (writer != by_output.end() && writer->second != &job)
        throw Error(input, "it is an input, and the output of " + writer->second->name(),
                    "write to another folder");
    }
}

// All inputs become one output, in the order in which they were named.
Job reducing_job(const std::vector<Input>& inputs, const std::string& output, bool many,
                 const std::string& format) {
  if (many) throw Error(output, "all inputs become one image", "name the file to write");
  codec_for_output(output, format);
  Job job{{}, output};
  for (const Input& input : inputs) job.inputs.push_back(input.path);
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

// Every output's format is known, and at least one of them has use for --quality: a folder may mix
// photographs with pictures that no quality applies to.
void check_formats(const std::vector<Job>& jobs, const CommonOptions& common) {
  bool quality_applies = !common.quality || jobs.empty();
  for (const Job& job : jobs) {
    if (job.output.empty()) continue;
    const Codec& codec = codec_for_output(job.output, common.format);
    quality_applies = quality_applies || codec.uses_quality(common.compression);
  }
  if (!quality_applies)
    throw Error("--quality " + std::to_string(*common.quality), "no output has use for it",
                "write " + formats_with_quality());
}

}  // namespace

std::string fill_pattern(const std::string& pattern, const std::string& input,
                         const std::string& folder, std::size_t index, const std::string& format) {
  std::string result;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const std::string_view rest = std::string_view(pattern).substr(i);
    if (rest.starts_with("{{") || rest.starts_with("}}")) {
      result += pattern[i++];
      continue;
    }
    if (pattern[i] != '{') {
      result += pattern[i];
      continue;
    }
    const std::size_t end = pattern.find('}', i);
    const std::string key = pattern.substr(i, end == std::string::npos ? end : end + 1 - i);
    if (key == "{stem}") {
      result += input == "-" ? "stdin" : fs::path(input).stem().string();
    } else if (key == "{ext}") {
      result += output_extension(input, format);
    } else if (key == "{name}") {
      result += input == "-" ? "stdin" : fs::path(input).filename().string();
    } else if (key == "{dir}") {
      result += folder.empty() ? "." : folder;
    } else if (key == "{index}") {
      result += std::to_string(index);
    } else {
      throw Error("-o " + pattern, key + " is unknown", "use " + std::string(pattern_keys));
    }
    i += key.size() - 1;
  }
  return result;
}

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
  const std::vector<Input> inputs = open_folders(invocation);
  if (reduces(invocation.stages)) return {reducing_job(inputs, output, pattern || folder, format)};
  const bool one_file = !pattern && !folder && !output.empty() && output != "-";
  if (one_file && (inputs.size() > 1 || (!inputs.empty() && inputs.front().path != "-" &&
                                         inputs.front().path != invocation.inputs.front())))
    throw Error(output, "it is one name for several images",
                "end it with / for a folder, or use -o with {stem} in it");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& [path, below] = inputs[i];
    if (pattern) {
      jobs.push_back({{path}, fill_pattern(output, path, below, i, format), true});
    } else if (folder) {
      const fs::path target = fs::path(output) / below / file_name(path, format);
      jobs.push_back({{path}, target.string(), true});
    } else {
      jobs.push_back({{path}, output});
    }
  }
  check_collisions(jobs);
  check_formats(jobs, invocation.common);
  return jobs;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/inputs.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "io/codec.h"
#include "io/folder_entry.h"
#include "io/refused.h"
#include "pipeline/batch/output_names.h"
#include "pipeline/batch/stage_files.h"

namespace cuimg {
namespace {

namespace fs = std::filesystem;

// Unfinished outputs, and files that programs store next to pictures: previews, checkpoints, trash.
bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

// A folder's images are selected by their names: opening thousands of files to check their content
// takes too long.
bool is_image_name(const fs::path& path) { return codec_named(file_extension(path)) != nullptr; }

// Frames are sorted by number: as names, 10000 would come before 9999.
bool by_name(const Input& a, const Input& b) {
  const auto key = [](const Input& input) {
    return std::tuple<const std::string&, int>(input.frame ? input.sequence : input.name,
                                               input.frame ? input.frame->frame : 0);
  };
  return key(a) < key(b);
}

// Collects the images of INPUT folders.
class Walk {
 public:
  Walk(PathFilter filter, std::vector<std::string> outputs, Remarks& remarks)
      : filter_(std::move(filter)), outputs_(std::move(outputs)), remarks_(remarks) {}

  /// Adds the images of a folder, sorted. @tparam Iterator whether it includes subfolders.
  template <class Iterator>
  void add_images_of(const std::string& folder, std::vector<Input>& inputs) {
    const std::size_t before = inputs.size();
    Remarks here;  // a folder's entries come in arbitrary order
    RefusedFiles left_out;
    has_folders_ = has_other_files_ = false;
    std::string opened = folder;  // the last folder; errors do not name it
    const auto below = [&](const fs::path& path) {
      const std::string parent = path.parent_path().lexically_relative(folder).string();
      return parent == "." ? "" : parent;
    };
    const auto path_of = [&](const fs::path& path) {
      return path.lexically_relative(folder).generic_string();
    };
    try {
      for (Iterator entry(folder), end; entry != end; ++entry) {
        const fs::path& path = entry->path();
        // for example a link to itself: it fails when it is opened as an image
        std::error_code broken;
        if (entry->is_directory(broken)) {
          has_folders_ = has_folders_ || !is_hidden(path);
          if constexpr (std::is_same_v<Iterator, fs::recursive_directory_iterator>) {
            opened = path.string();
            const bool goes = filter_.enters(path_of(path)) && goes_into(*entry, here);
            const std::string problem = goes ? problem_of(path) : "";
            if (!problem.empty())
              inputs.push_back({.name = opened, .found_in = below(path), .problem = problem});
            if (!goes || !problem.empty()) entry.disable_recursion_pending();
          }
        } else if (is_hidden(path) || !filter_.takes(path_of(path))) {
          continue;
        } else if (is_image_name(path) && !is_pipe_or_device(*entry)) {
          inputs.push_back({path.string(), below(path)});
        } else if (!left_out.take(path.string())) {
          has_other_files_ = true;
        }
      }
    } catch (const fs::filesystem_error& error) {
      throw Error(opened, error.code().message());
    }
    std::sort(inputs.begin() + static_cast<std::ptrdiff_t>(before), inputs.end(), by_name);
    std::ranges::sort(here);
    if (std::string remark = left_out.remark(folder); !remark.empty())
      here.push_back(std::move(remark));
    remarks_.insert(remarks_.end(), here.begin(), here.end());
  }

  /// Advice about the last folder if it contains no image.
  std::string advice_on_empty(bool descends) const {
    if (has_folders_ && !descends) return "-r descends into its folders";
    return has_other_files_
               ? "files without an image's extension are left out; name them one by one"
               : "";
  }

 private:
  // A link may lead to a folder that contains it. Outputs that an earlier run left below its INPUT
  // are not inputs, so that the same command can be run again or continued.
  bool goes_into(const fs::directory_entry& folder, Remarks& remarks) const {
    const std::string name = printable(folder.path().string());
    if (is_hidden(folder.path())) return false;
    if (folder.is_symlink()) {
      remarks.push_back(name +
                        " is a link to a folder, which -r does not follow: name it as an "
                        "INPUT");
      return false;
    }
    std::error_code absent;
    const bool is_output = std::ranges::any_of(outputs_, [&](const std::string& output) {
      return fs::equivalent(folder.path(), output, absent);
    });
    if (is_output) remarks.push_back(name + " is left out: outputs are written there");
    return !is_output;
  }

  // The reason why a folder cannot be read; empty if it can. Such a folder fails separately, like
  // an image.
  static std::string problem_of(const fs::path& folder) {
    std::error_code error;
    const fs::directory_iterator entries(folder, error);
    return error ? error.message() : "";
  }

  const PathFilter filter_;
  const std::vector<std::string> outputs_;
  Remarks& remarks_;
  bool has_folders_ = false, has_other_files_ = false;  // for the last folder
};

void check_frames_are_used(const std::vector<std::string>& names, const CommonOptions& common) {
  if (common.frames.empty() && common.missing == MissingFrames::error) return;
  if (std::ranges::any_of(names, is_sequence)) return;
  throw Error(common.frames.empty() ? "--missing" : "--frames " + format_value(common.frames),
              "no INPUT is a sequence", "name it as in.####.exr or in.%04d.exr");
}

bool is_folder(const std::string& name) {
  std::error_code ignored;
  return name != "-" && fs::is_directory(name, ignored);
}

void check_patterns_are_used(const std::vector<std::string>& names, const CommonOptions& common) {
  const bool includes = !common.include.patterns.empty();
  if ((!includes && common.exclude.patterns.empty()) || std::ranges::any_of(names, is_folder))
    return;
  throw Error(includes ? "--include " + common.include.patterns.front()
                       : "--exclude " + common.exclude.patterns.front(),
              "no INPUT is a folder", "it selects files in folders");
}

}  // namespace

std::string Input::dir() const {
  if (found_in) return *found_in;
  fs::path result;
  for (const fs::path& part : fs::path(name).parent_path().lexically_normal().relative_path())
    if (part != ".." && part != "." && !part.empty()) result /= part;
  return result.string();
}

std::vector<Input> open_inputs(const std::vector<std::string>& names, const CommonOptions& common,
                               const std::vector<std::string>& outputs, Remarks& remarks) {
  check_frames_are_used(names, common);
  check_patterns_are_used(names, common);
  const PathFilter filter{common.include, common.exclude};
  std::vector<Input> inputs;
  Walk walk(filter, outputs, remarks);
  for (const std::string& named : names) {
    if (named != "-" && is_sequence(named)) {
      for (FrameFile& file : find_frames(named, common.frames, common.missing))
        inputs.push_back({name_of_frame(named, file.frame), {}, std::move(file), named});
      continue;
    }
    std::error_code ignored;
    // Among several inputs, a missing one fails on its own; a single one was probably meant as a
    // sequence.
    if (names.size() == 1 && named.find('#') != std::string::npos && !fs::exists(named, ignored))
      throw Error(named, "no such file", advice_on_numbers(named));
    if (!is_folder(named)) {
      inputs.push_back({named});
      continue;
    }
    const std::size_t before = inputs.size();
    if (common.recursive) {
      walk.add_images_of<fs::recursive_directory_iterator>(named, inputs);
    } else {
      walk.add_images_of<fs::directory_iterator>(named, inputs);
    }
    if (inputs.size() == before)
      throw Error(named,
                  filter.is_empty() ? "the folder holds no images"
                                    : "--include and --exclude select no images in the folder",
                  walk.advice_on_empty(common.recursive));
  }
  return inputs;
}

std::vector<Input> open_inputs(const Invocation& invocation, Remarks& remarks) {
  CommonOptions common = invocation.common;
  // The missing file may only be needed by a stage.
  if (common.missing == MissingFrames::skip &&
      std::ranges::any_of(files_of(invocation.stages), depends_on_input) &&
      std::ranges::none_of(invocation.inputs, is_sequence))
    common.missing = MissingFrames::error;
  std::vector<Input> inputs =
      open_inputs(invocation.inputs, common, output_folders(invocation), remarks);
  // A single image made from all inputs, and reports, keep the order of the command line, in which
  // an input may be named twice.
  if (reduces(invocation.stages) || sink_of(invocation.stages) != nullptr) return inputs;
  std::set<std::string> names;
  std::erase_if(inputs, [&](const Input& input) { return !names.insert(input.name).second; });
  std::ranges::stable_sort(inputs, by_name);
  return inputs;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/inputs.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>
#include <type_traits>

#include "base/error.h"
#include "io/codec.h"
#include "io/folder_entry.h"
#include "pipeline/batch/output_names.h"

namespace cuimg {
namespace {

namespace fs = std::filesystem;

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

// Frames by their numbers: names alone would put 10000 before 9999.
bool by_name(const Input& a, const Input& b) {
  const auto key = [](const Input& input) {
    return std::tuple<const std::string&, int>(input.frame ? input.sequence : input.name,
                                               input.frame ? input.frame->frame : 0);
  };
  return key(a) < key(b);
}

// The images of INPUT folders.
class Walk {
 public:
  Walk(const Invocation& invocation, Remarks& remarks)
      : outputs_(output_folders(invocation)), remarks_(remarks) {}

  /// Adds the images of a folder, sorted. @tparam Iterator whether it descends.
  template <class Iterator>
  void add_images_of(const std::string& folder, std::vector<Input>& inputs) {
    const std::size_t before = inputs.size();
    Remarks here;                 // a folder's entries come in any order
    std::string opened = folder;  // the last one; errors do not say which it was
    try {
      for (Iterator entry(folder), end; entry != end; ++entry) {
        if (entry->is_directory()) {
          opened = entry->path().string();
          if constexpr (std::is_same_v<Iterator, fs::recursive_directory_iterator>)
            if (!goes_into(*entry, here)) entry.disable_recursion_pending();
        } else if (is_image_name(entry->path()) && !is_pipe_or_device(*entry)) {
          const std::string below = entry->path().parent_path().lexically_relative(folder).string();
          inputs.push_back({entry->path().string(), below == "." ? "" : below});
        }
      }
    } catch (const fs::filesystem_error& error) {
      throw Error(opened, error.code().message());
    }
    std::sort(inputs.begin() + static_cast<std::ptrdiff_t>(before), inputs.end(), by_name);
    std::ranges::sort(here);
    remarks_.insert(remarks_.end(), here.begin(), here.end());
  }

 private:
  // A link may lead back to a folder that holds it. Outputs that a run before this one left below
  // its INPUT are none of its inputs: the same command may be run again, and continued.
  bool goes_into(const fs::directory_entry& folder, Remarks& remarks) const {
    const std::string name = printable(folder.path().string());
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

  const std::vector<std::string> outputs_;
  Remarks& remarks_;
};

void check_frames_are_used(const Invocation& invocation) {
  const CommonOptions& common = invocation.common;
  if (common.frames.empty() && common.missing == MissingFrames::error) return;
  if (std::ranges::any_of(invocation.inputs, is_sequence)) return;
  throw Error(common.frames.empty() ? "--missing" : "--frames " + format_value(common.frames),
              "no INPUT is a sequence", "name it as in.####.exr or in.%04d.exr");
}

}  // namespace

std::string Input::dir() const {
  if (found_in) return *found_in;
  fs::path result;
  for (const fs::path& part : fs::path(name).parent_path().lexically_normal().relative_path())
    if (part != ".." && part != "." && !part.empty()) result /= part;
  return result.string();
}

std::vector<Input> open_inputs(const Invocation& invocation, Remarks& remarks) {
  check_frames_are_used(invocation);
  std::vector<Input> inputs;
  Walk walk(invocation, remarks);
  for (const std::string& named : invocation.inputs) {
    if (named != "-" && is_sequence(named)) {
      for (FrameFile& file :
           find_frames(named, invocation.common.frames, invocation.common.missing))
        inputs.push_back({name_of_frame(named, file.frame), {}, std::move(file), named});
      continue;
    }
    std::error_code ignored;
    // Of several inputs, one that is missing fails alone; a single one was probably meant as a
    // sequence.
    if (invocation.inputs.size() == 1 && named.find('#') != std::string::npos &&
        !fs::exists(named, ignored))
      throw Error(named, "no such file", "a sequence has two # or more, as in in.##.exr");
    if (named == "-" || !fs::is_directory(named, ignored)) {
      inputs.push_back({named});
      continue;
    }
    const std::size_t before = inputs.size();
    if (invocation.common.recursive) {
      walk.add_images_of<fs::recursive_directory_iterator>(named, inputs);
    } else {
      walk.add_images_of<fs::directory_iterator>(named, inputs);
    }
    if (inputs.size() == before)
      throw Error(named, "the folder holds no images",
                  invocation.common.recursive ? "" : "-r descends into its folders");
  }
  // One image made of all, and reports, keep the order of the command line, where an input may be
  // named twice.
  if (reduces(invocation.stages) || sink_of(invocation.stages) != nullptr) return inputs;
  std::set<std::string> names;
  std::erase_if(inputs, [&](const Input& input) { return !names.insert(input.name).second; });
  std::ranges::stable_sort(inputs, by_name);
  return inputs;
}

}  // namespace cuimg

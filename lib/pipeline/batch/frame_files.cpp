// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/frame_files.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "io/codec.h"

namespace cuimg {
namespace {

// A missing table can be replaced by another one, but not by black.
bool may_be_black(const std::string& path) {
  const std::string dotted = std::filesystem::path(path).extension().string();
  return !dotted.empty() && codec_named(dotted.substr(1)) != nullptr;
}

bool names_sequence(const FileOfStage& file) { return file.is_certain && is_sequence(file.path); }

std::vector<FrameFile> find_files(const FileOfStage& file, std::span<const int> frames,
                                  MissingFrames missing) {
  try {
    std::vector<FrameFile> found = find_frames(file.path, frames, missing);
    for (const FrameFile& one : found)
      if (one.black && !may_be_black(file.path))
        throw Error(file.path,
                    "frame " + std::to_string(one.frame) +
                        " is missing, and --missing black is for images only",
                    "give --missing skip or hold");
    return found;
  } catch (const Error& error) {
    throw Error(file.recipe.empty() ? file.stage : file.recipe + ": " + file.stage,
                file.option + " " + error.what());
  }
}

}  // namespace

std::vector<FileOfStage> sequences_of(Chain chain) {
  std::vector<FileOfStage> files = files_of(chain);
  std::erase_if(files, [](const FileOfStage& file) { return !names_sequence(file); });
  return files;
}

FrameFiles::FrameFiles(Chain chain, const std::set<int>& frames, MissingFrames missing) {
  const std::vector<int> sorted(frames.begin(), frames.end());
  for (const FileOfStage& file : files_of(chain)) {
    options_.push_back({file.path, {}});
    if (names_sequence(file)) options_.back().frames = find_files(file, sorted, missing);
  }
}

const FrameFile* FrameFiles::find(const Option& option, int frame) {
  const auto found = std::ranges::lower_bound(option.frames, frame, {}, &FrameFile::frame);
  return found == option.frames.end() || found->frame != frame ? nullptr : &*found;
}

bool FrameFiles::has(int frame) const {
  return std::ranges::all_of(options_, [&](const Option& option) {
    return option.frames.empty() || find(option, frame) != nullptr;
  });
}

std::vector<FrameFileOfStage> FrameFiles::of(int frame) const {
  std::vector<FrameFileOfStage> files;
  for (const Option& option : options_) {
    if (option.frames.empty()) {
      files.push_back({option.path, false, ""});
      continue;
    }
    const FrameFile& file = *find(option, frame);
    if (file.black)
      files.push_back({name_of_frame(option.path, frame), true, file.path});
    else
      files.push_back({file.path, true, ""});
  }
  return files;
}

}  // namespace cuimg

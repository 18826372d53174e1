// SPDX-License-Identifier: Apache-2.0
// Sequences of frames: names with a number in them, `in.####.exr` or `in.%04d.exr`.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/options.h"

namespace cuimg {

/// Whether it holds two or more # in a row, %d or %0Nd.
bool names_frames(std::string_view name);

/// The same, and there is no file that is literally named so.
bool is_sequence(const std::string& name);

/// The name of one frame. Numbers are padded with zeros to as many digits as there are #, or N.
std::string name_of_frame(std::string_view name, int frame);

/// Which frames of a sequence are there: of those that `frames` names, or else of all. None where
/// the folder is not there either.
/// @throws Error for a folder that cannot be read, and for one whose name has the number too,
/// unless `frames` names them.
std::set<int> frames_there(const std::string& name, const FrameSet& frames);

/// A frame of a sequence, and the file that it is read from.
struct FrameFile {
  int frame = 0;
  std::string path;
  /// --missing black: there is no such file; it is black, and otherwise as `path` is.
  bool black = false;
  friend bool operator==(const FrameFile&, const FrameFile&) = default;
};

/// The files of a sequence: those that `frames` names or else, in the order of their numbers, all
/// from the first to the last that is there.
/// @throws Error where one is missing, unless `missing` says what takes its place.
std::vector<FrameFile> find_frames(const std::string& name, const FrameSet& frames,
                                   MissingFrames missing);
/// The same for frames that are known, in their order. What takes a missing one's place may be a
/// frame that is not among them.
std::vector<FrameFile> find_frames(const std::string& name, std::span<const int> frames,
                                   MissingFrames missing);

}  // namespace cuimg

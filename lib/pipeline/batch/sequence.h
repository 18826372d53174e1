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

/// Whether the name contains two or more # in a row, %d or %0Nd.
bool names_frames(std::string_view name);

/// The same, and no file has this literal name.
bool is_sequence(const std::string& name);

/// Advice for a missing file with this name: how a sequence is written, if the name contains a #.
std::string advice_on_numbers(std::string_view name);

/// The name of one frame. Numbers are padded with zeros to the number of # characters, or to N
/// digits.
std::string name_of_frame(std::string_view name, int frame);

/// The existing frames of a sequence: of those in `frames`, or of all. None if the folder does not
/// exist.
/// @throws Error for a folder that cannot be read, and for one whose name also contains the number,
/// unless `frames` lists the frames.
std::set<int> frames_there(const std::string& name, const FrameSet& frames);

/// A frame of a sequence, and the file that it is read from.
struct FrameFile {
  int frame = 0;
  std::string path;
  /// For --missing black: the file does not exist; the frame is black, and otherwise like `path`.
  bool black = false;
  friend bool operator==(const FrameFile&, const FrameFile&) = default;
};

/// The files of a sequence: those in `frames` or, in numerical order, all from the first to the
/// last existing one.
/// @throws Error if one is missing, unless `missing` gives a replacement.
std::vector<FrameFile> find_frames(const std::string& name, const FrameSet& frames,
                                   MissingFrames missing);
/// The same for known frames, in their order. The replacement of a missing one may be a frame
/// outside the list.
std::vector<FrameFile> find_frames(const std::string& name, std::span<const int> frames,
                                   MissingFrames missing);

}  // namespace cuimg

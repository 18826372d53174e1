// SPDX-License-Identifier: Apache-2.0
// From files, folders, sequences and lists of a command line to the images that are read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/batch/sequence.h"
#include "pipeline/grammar.h"

namespace cuimg {

struct Input {
  std::string name;  ///< The name from which the output's name is made.
  /// Its folder below the INPUT folder in which it was found, empty for that folder itself; none
  /// where the image itself was named.
  std::optional<std::string> found_in = {};
  std::optional<FrameFile> frame = {};  ///< Of a sequence; its file is read in place of `name`.
  std::string sequence = {};            ///< The sequence's name, where it is a frame.
  std::optional<int> part = {};         ///< The one that is taken, where outputs name parts.
  std::string problem = {};             ///< It is a folder, which cannot be read for this reason.

  const std::string& path() const { return frame ? frame->path : name; }
  /// What {dir} is: `found_in`, or the folder of a name as it was given, without "/" and ".."
  /// before it, so that outputs stay below the folder that a pattern begins with. May be empty.
  std::string dir() const;
};

/// Messages about inputs that were left out, one line each.
using Remarks = std::vector<std::string>;

/// In the order in which they are named. @param names files, folders, sequences and "-".
/// @param outputs folders that are left out of those. @throws Error where one holds no image.
std::vector<Input> open_inputs(const std::vector<std::string>& names, const CommonOptions& common,
                               const std::vector<std::string>& outputs, Remarks& remarks);
/// In the order in which they are worked on.
/// @throws Error where one holds no image.
std::vector<Input> open_inputs(const Invocation& invocation, Remarks& remarks);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Converts the files, folders, sequences and lists of a command line to the list of images to read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/batch/sequence.h"
#include "pipeline/grammar.h"

namespace cuimg {

struct Input {
  std::string name;  ///< The name from which the output's name is derived.
  /// Its folder relative to the INPUT folder in which it was found, empty for that folder itself;
  /// absent if the image itself was named.
  std::optional<std::string> found_in = {};
  /// For a frame of a sequence; its file is read instead of `name`.
  std::optional<FrameFile> frame = {};
  std::string sequence = {};     ///< For a frame, the sequence's name.
  std::optional<int> part = {};  ///< The part to read if outputs are named after parts.
  std::string problem = {};      ///< It is a folder that cannot be read for this reason.

  const std::string& path() const { return frame ? frame->path : name; }
  /// The value of {dir}: `found_in`, or the folder in the given name, without "/" and ".." before
  /// it, so that outputs remain below the folder with which a pattern begins. May be empty.
  std::string dir() const;
};

/// Messages about inputs that were left out, one line each.
using Remarks = std::vector<std::string>;

/// The inputs in the order of their names on the command line. @param names files, folders,
/// sequences and "-".
/// @param outputs folders that are left out. @throws Error if one contains no image.
std::vector<Input> open_inputs(const std::vector<std::string>& names, const CommonOptions& common,
                               const std::vector<std::string>& outputs, Remarks& remarks);
/// The inputs in the order in which they are processed.
/// @throws Error if one contains no image.
std::vector<Input> open_inputs(const Invocation& invocation, Remarks& remarks);

}  // namespace cuimg

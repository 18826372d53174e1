// SPDX-License-Identifier: Apache-2.0
// Names the outputs of one tee, or of the chain's end, based on the inputs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pipeline/batch/inputs.h"
#include "pipeline/run/run.h"

namespace cuimg {

/// Names given by a single name, a folder, a pattern or a sequence.
class OutputNames {
 public:
  /// @param may_be_pattern whether braces in the name contain keys.
  OutputNames(const std::string& output, bool may_be_pattern, const std::vector<Input>& inputs);

  bool is_pattern() const { return is_pattern_; }
  bool is_folder() const { return is_folder_; }
  /// Whether the name has a place for the frame numbers of the inputs.
  bool is_frames() const { return is_frames_; }
  /// @throws Error if a single name is given for several images. @param first the name for the
  /// first image.
  void check_names_many(const std::vector<Input>& inputs, const std::string& first) const;
  /// The job of one input. @param index among all, from 0. @param format as in --format.
  Job job(const Input& input, std::size_t index, const std::string& format) const;

 private:
  bool keeps_extension() const;

  const std::string output_;
  const bool is_pattern_, is_folder_, is_frames_;
};

/// The folders of a command's outputs that are named by a folder or a pattern: for a pattern, the
/// folder before its first key.
std::vector<std::string> output_folders(const Invocation& invocation);

}  // namespace cuimg

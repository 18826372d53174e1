// SPDX-License-Identifier: Apache-2.0
// Names the outputs of one tee, or of the chain's end, after the inputs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pipeline/batch/inputs.h"
#include "pipeline/run/run.h"

namespace cuimg {

/// By one name, a folder, a pattern or a sequence.
class OutputNames {
 public:
  /// @param may_be_pattern braces in the name are places to fill.
  OutputNames(const std::string& output, bool may_be_pattern, const std::vector<Input>& inputs);

  bool is_pattern() const { return is_pattern_; }
  bool is_folder() const { return is_folder_; }
  /// @throws Error where it is one name for several images. @param first what the first was named.
  void check_names_many(const std::vector<Input>& inputs, const std::string& first) const;
  /// Of one input. @param index among all, from 0. @param format as --format has it.
  Job job(const Input& input, std::size_t index, const std::string& format) const;

 private:
  bool keeps_extension() const;

  const std::string output_;
  const bool is_pattern_, is_folder_, is_frames_;
};

/// The folders in which a command's outputs lie that are named by a folder or a pattern: of a
/// pattern, the folder before its first key.
std::vector<std::string> output_folders(const Invocation& invocation);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// `cuimg compare --update`: results that are accepted become goldens.
#pragma once

#include <optional>
#include <string>

#include "compare/comparison.h"
#include "io/decode_options.h"

namespace cuimg {

/// One file that would be, or was, copied.
struct GoldenUpdate {
  std::string from, to;
  bool is_new = false;  ///< There was no golden.
};

/// What accepting the result of a comparison means: a differing one replaces the golden that it was
/// compared with, one without a golden becomes one. Nothing for the same, for errors and for
/// results that are missing.
/// @param golden_folder, result_folder of the trees; empty for a pair of files.
std::optional<GoldenUpdate> golden_update(const Comparison& comparison,
                                          const std::string& golden_folder,
                                          const std::string& result_folder);

/// Reads every pixel of the result. @throws Error where it cannot become a golden.
void check_acceptable(const GoldenUpdate& update, const DecodeOptions& decode);

/// Copies the file's bytes after check_acceptable(); the target appears complete or stays as it
/// was.
/// @throws Error.
void copy_to_golden(const GoldenUpdate& update, const DecodeOptions& decode);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// `cuimg compare --update`: accepted results become goldens.
#pragma once

#include <optional>
#include <string>

#include "compare/comparison.h"
#include "io/decode_options.h"

namespace cuimg {

/// One file that would be, or was, copied.
struct GoldenUpdate {
  std::string from, to;
  bool is_new = false;  ///< Whether there was no golden.
};

/// The file copy that accepts the result of a comparison: a differing result replaces the golden
/// with which it was compared, a result without a golden becomes one. Nothing if they are the same,
/// after errors and for missing results.
/// @param golden_folder, result_folder of the trees; empty for a pair of files.
std::optional<GoldenUpdate> golden_update(const Comparison& comparison,
                                          const std::string& golden_folder,
                                          const std::string& result_folder);

/// Reads every pixel of the result. @throws Error if it cannot become a golden.
void check_acceptable(const GoldenUpdate& update, const DecodeOptions& decode);

/// Copies the file's bytes after check_acceptable(); the target appears complete or does not
/// change.
/// @throws Error.
void copy_to_golden(const GoldenUpdate& update, const DecodeOptions& decode);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Entries that a walk through a folder ignores whatever their names: reading a pipe, a socket or a
// device could wait forever. A dangling link counts as a file; reading it gives an error with its
// name.
#pragma once

#include <filesystem>

namespace cuimg {

inline bool is_pipe_or_device(const std::filesystem::directory_entry& entry) {
  std::error_code unknown;
  const std::filesystem::file_status status = entry.status(unknown);
  return std::filesystem::is_other(status);
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// What a walk through a folder leaves alone whatever its name: a pipe, a socket or a device would
// be waited for without end. A link to nothing is a file here, and fails by name when it is read.
#pragma once

#include <filesystem>

namespace cuimg {

inline bool is_pipe_or_device(const std::filesystem::directory_entry& entry) {
  std::error_code unknown;
  const std::filesystem::file_status status = entry.status(unknown);
  return std::filesystem::is_other(status);
}

}  // namespace cuimg

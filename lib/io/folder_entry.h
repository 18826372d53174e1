// SPDX-License-Identifier: Apache-2.0
// Files as a walk through a folder finds them, before they are opened.
#pragma once

#include <filesystem>
#include <string>

namespace cuimg {

/// The extension of a file's name without the dot; empty if there is none.
inline std::string file_extension(const std::filesystem::path& path) {
  const std::string dotted = path.extension().string();
  return dotted.empty() ? dotted : dotted.substr(1);
}

/// Entries that are ignored whatever their names: reading a pipe, a socket or a device could wait
/// forever. A dangling link counts as a file; reading it gives an error with its name.
inline bool is_pipe_or_device(const std::filesystem::directory_entry& entry) {
  std::error_code unknown;
  const std::filesystem::file_status status = entry.status(unknown);
  return std::filesystem::is_other(status);
}

}  // namespace cuimg

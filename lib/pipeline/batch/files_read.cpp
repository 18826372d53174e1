// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/files_read.h"

#include <sys/stat.h>
#include <unistd.h>

#include <optional>

namespace cuimg {
namespace {

// A regular file's device and inode, which its hard links share. Terminals and pipes may be read
// and written by the same command.
// @param descriptor of the standard stream that "-" names.
std::optional<std::pair<dev_t, ino_t>> inode_of(const std::string& path, int descriptor) {
  struct stat status;
  const bool is_known =
      path == "-" ? ::fstat(descriptor, &status) == 0 : ::stat(path.c_str(), &status) == 0;
  if (!is_known || !S_ISREG(status.st_mode)) return std::nullopt;
  return std::pair{status.st_dev, status.st_ino};
}

}  // namespace

void FilesRead::add(const std::string& path, const Reader& reader) {
  if (path != "-") by_name_.emplace(keys_.of(path), reader);
  if (const auto inode = inode_of(path, STDIN_FILENO)) by_inode_.emplace(*inode, reader);
}

const FilesRead::Reader* FilesRead::find(const std::string& path) {
  if (path != "-") {
    const auto named = by_name_.find(keys_.of(path));
    if (named != by_name_.end()) return &named->second;
  }
  const auto inode = inode_of(path, STDOUT_FILENO);
  const auto linked = inode ? by_inode_.find(*inode) : by_inode_.end();
  return linked == by_inode_.end() ? nullptr : &linked->second;
}

}  // namespace cuimg

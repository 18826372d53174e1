// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/files_read.h"

#include <sys/stat.h>

#include <optional>

namespace cuimg {
namespace {

// A regular file's device and inode, which its hard links share. Terminals and pipes may be read
// and written.
std::optional<std::pair<dev_t, ino_t>> inode_of(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return std::pair{status.st_dev, status.st_ino};
}

}  // namespace

void FilesRead::add(const std::string& path, const Reader& reader) {
  by_name_.emplace(keys_.of(path), reader);
  if (const auto inode = inode_of(path)) by_inode_.emplace(*inode, reader);
}

const FilesRead::Reader* FilesRead::find(const std::string& path) {
  const auto named = by_name_.find(keys_.of(path));
  if (named != by_name_.end()) return &named->second;
  const auto inode = inode_of(path);
  const auto linked = inode ? by_inode_.find(*inode) : by_inode_.end();
  return linked == by_inode_.end() ? nullptr : &linked->second;
}

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/file_keys.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

namespace cuimg {
namespace {

namespace fs = std::filesystem;

std::string without_links(const fs::path& path) {
  std::error_code ignored;
  const fs::path absolute = fs::absolute(path, ignored);
  const fs::path canonical = fs::weakly_canonical(absolute, ignored);
  return (canonical.empty() ? absolute : canonical).lexically_normal().string();
}

// Whether a name does not end in the file's own name.
bool needs_looking_up(const fs::path& path) {
  std::error_code ignored;
  const fs::path last = path.filename();
  return last.empty() || last == "." || last == ".." || fs::is_symlink(path, ignored);
}

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

std::string FileKeys::of(const std::string& name) {
  const fs::path path(name);
  if (needs_looking_up(path)) return without_links(path);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const auto [known, is_new] = folders_.try_emplace(folder.string());
  if (is_new) known->second = without_links(folder);
  return (fs::path(known->second) / path.filename()).string();
}

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

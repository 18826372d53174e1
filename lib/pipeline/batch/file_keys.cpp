// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/file_keys.h"

#include <filesystem>

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

}  // namespace

std::string FileKeys::of(const std::string& name) {
  const fs::path path(name);
  if (needs_looking_up(path)) return without_links(path);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const auto [known, is_new] = folders_.try_emplace(folder.string());
  if (is_new) known->second = without_links(folder);
  return (fs::path(known->second) / path.filename()).string();
}

}  // namespace cuimg

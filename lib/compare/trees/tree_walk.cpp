// SPDX-License-Identifier: Apache-2.0
#include "compare/trees/tree_walk.h"

#include <algorithm>
#include <vector>

#include "base/error.h"

namespace cuimg {
namespace {

namespace fs = std::filesystem;

void refuse(const fs::path& path, const std::error_code& error) {
  if (error) throw Error(path.string(), "it cannot be read: " + error.message());
}

// A path without links, or nothing if there is no such file.
fs::path real_path(const fs::path& path) {
  std::error_code unknown;
  return fs::canonical(path, unknown);
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

class Walk {
 public:
  using Visit = std::function<void(const fs::directory_entry&, const std::string&)>;

  Walk(fs::path root, fs::path left_out, const Visit& visit)
      : root_(std::move(root)), left_out_(std::move(left_out)), visit_(visit) {}

  void visit_all_in(const fs::path& folder) {
    open_.push_back(real_path(folder));
    std::error_code error;
    fs::directory_iterator entry(folder, error), end;
    for (; !error && entry != end; entry.increment(error)) visit(*entry);
    refuse(folder, error);
    open_.pop_back();
  }

 private:
  void visit(const fs::directory_entry& entry) {
    if (entry.path().filename().string().starts_with('.')) return;
    std::error_code error;
    const fs::file_status status = entry.status(error);
    // A dangling link has no status. The caller decides by its name: only names of pictures and
    // rule files matter.
    if (status.type() != fs::file_type::not_found) refuse(entry.path(), error);
    const bool is_folder = fs::is_directory(status);
    if (is_folder) {
      const fs::path real = real_path(entry.path());
      if (real == left_out_) return;
      if (std::ranges::any_of(open_, [&](const fs::path& open) { return lies_in(open, real); }))
        throw Error(entry.path().string(), "it is a link to a folder that it lies in",
                    "remove the link");
    }
    visit_(entry, entry.path().lexically_relative(root_).generic_string());
    if (is_folder) visit_all_in(entry.path());
  }

  const fs::path root_, left_out_;
  const Visit& visit_;
  std::vector<fs::path> open_;  // without links: the folders that the walk is in
};

}  // namespace

void walk_tree(
    const std::string& folder, const std::string& left_out,
    const std::function<void(const fs::directory_entry& entry, const std::string& path)>& visit) {
  std::error_code error;
  if (!fs::exists(folder, error) && !error) return;
  Walk(folder, real_path(left_out), visit).visit_all_in(folder);
}

}  // namespace cuimg

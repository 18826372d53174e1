// SPDX-License-Identifier: Apache-2.0
// A line of text that is stored with a file instead of in it, as an extended attribute. It also
// holds the file's size and modification time, since other programs may change a file and leave its
// attributes.
#pragma once

#include <optional>
#include <string>

namespace cuimg {

/// Marks an open file in its present state; later changes of its contents or modification time make
/// the mark outdated. @returns false if its file system has no attributes.
bool mark_file(int descriptor, const std::string& mark);

struct FileMark {
  /// Empty if there is no mark, or if it was written by an older version.
  std::string text;
  bool is_current = false;  ///< Whether the file has not changed since it was marked.
};

/// The mark of the file that a path names after symbolic links are resolved. Nothing if its file
/// system has no attributes, or if they cannot be read.
std::optional<FileMark> mark_of_file(const std::string& path);

}  // namespace cuimg

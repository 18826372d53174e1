// SPDX-License-Identifier: Apache-2.0
// A line of text stored with a file rather than in it: an extended attribute. It also holds the
// file's size and time of change, since other programs may change a file and leave its attributes.
#pragma once

#include <optional>
#include <string>

namespace cuimg {

/// Marks an open file as it is now; what changes its contents or its time of change later makes the
/// mark outdated. @returns false where its file system keeps no attributes.
bool mark_file(int descriptor, const std::string& mark);

struct FileMark {
  std::string text;         ///< Empty without one, or with one of an older version.
  bool is_current = false;  ///< The file is as it was when it was marked.
};

/// The mark of the file that a path, after its symbolic links, names. Nothing where its file system
/// keeps none, or the file cannot be asked.
std::optional<FileMark> mark_of_file(const std::string& path);

}  // namespace cuimg

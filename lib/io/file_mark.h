// SPDX-License-Identifier: Apache-2.0
// A line of text that lies with a file and not in it: an extended attribute.
#pragma once

#include <optional>
#include <string>

namespace cuimg {

/// Marks an open file. @returns false where its file system keeps no attributes.
bool mark_file(int descriptor, const std::string& mark);

/// The mark of the file that a path, after its symbolic links, names; empty without one. Nothing
/// where its file system keeps none, or the file cannot be asked.
std::optional<std::string> mark_of_file(const std::string& path);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// Lists the folders of a tree, including those to which links lead.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace cuimg {

/// Calls visit(entry, path) for each file and folder below a folder, and for a folder before its
/// contents. Links are followed. Names that begin with a dot are left out with everything below
/// them.
/// @param path relative to `folder`, with '/'. @param folder counts as empty if it does not exist.
/// @param left_out another folder, which is left out if it is inside `folder`.
/// @throws Error that names a folder that cannot be read, or a link to a folder that contains it.
void walk_tree(const std::string& folder, const std::string& left_out,
               const std::function<void(const std::filesystem::directory_entry& entry,
                                        const std::string& path)>& visit);

}  // namespace cuimg

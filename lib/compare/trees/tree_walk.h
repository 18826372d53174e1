// SPDX-License-Identifier: Apache-2.0
// Lists the folders of a tree, including those that links lead to.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace cuimg {

/// Calls visit(entry, path) for each file and folder below a folder, a folder before what lies in
/// it. Links are followed. Left out are names that begin with a dot, with all that lies below.
/// @param path relative to `folder`, with '/'. @param folder nothing is below one that is not
/// there.
/// @param left_out another folder, which may lie in `folder`: it is left out too.
/// @throws Error naming a folder that cannot be read, or a link to a folder that it lies in.
void walk_tree(const std::string& folder, const std::string& left_out,
               const std::function<void(const std::filesystem::directory_entry& entry,
                                        const std::string& path)>& visit);

}  // namespace cuimg

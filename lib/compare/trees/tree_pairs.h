// SPDX-License-Identifier: Apache-2.0
// Two folders as pairs of pictures with the same path, and goldens with variants.
#pragma once

#include <string>
#include <vector>

namespace cuimg {

/// One path of either folder.
struct TreePair {
  std::string path;  ///< Relative to the folders, with '/': "icons/home.png".
  /// Files that are accepted: `home.png`, then `home@@VARIANT.png` by name. Empty: there is none.
  std::vector<std::string> goldens;
  std::string result;  ///< Empty: it is missing.
};

/// Every file with a picture format's extension in either folder and those below, by path; links
/// are followed. Left out are names that begin with a dot, and of a folder that holds the other one
/// that other one.
/// @param masks files that are no goldens, unless a result has their path.
/// @throws Error for a folder that cannot be read, and for a link to a folder that it lies in.
std::vector<TreePair> pair_trees(const std::string& golden, const std::string& result,
                                 const std::vector<std::string>& masks);

/// The variant's name, between "@@" and the extension; empty if there is none.
std::string variant_of(const std::string& file);

}  // namespace cuimg

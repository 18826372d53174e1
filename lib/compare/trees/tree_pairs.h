// SPDX-License-Identifier: Apache-2.0
// Two folders as pairs of pictures with the same path or stem, and goldens with variants.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "options/path_filter.h"
#include "options/values.h"

namespace cuimg {

/// One path of either folder.
struct TreePair {
  /// Relative to the folders, with '/': "icons/home.png". Where two extensions meet, the golden's.
  std::string path;
  /// Files that are accepted: `home.png`, then `home@@VARIANT.png` by name. Empty: there is none.
  std::vector<std::string> goldens;
  std::string result;  ///< Empty: it is missing.
};

/// What makes a golden and a result a pair.
enum class MatchBy : std::uint8_t {
  path,
  stem,  ///< The path without its extension.
};
std::span<const Choice<MatchBy>> choices_of(MatchBy);

struct TreeMatching {
  MatchBy by = MatchBy::path;
  PathFilter files = {};  ///< Of both folders' pictures those that are taken.
};

/// Every file with a picture format's extension in either folder and those below, by path; links
/// are followed. Left out are names that begin with a dot, and of a folder that holds the other one
/// that other one.
/// @param masks files that are no goldens, unless a result has their path.
/// @throws Error for a folder that cannot be read, for a link to a folder that it lies in, and by
/// stem for two files of one folder that have the same.
std::vector<TreePair> pair_trees(const std::string& golden, const std::string& result,
                                 const std::vector<std::string>& masks,
                                 const TreeMatching& matching = {});

/// The variant's name, between "@@" and the extension; empty if there is none.
std::string variant_of(const std::string& file);

}  // namespace cuimg

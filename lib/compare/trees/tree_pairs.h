// SPDX-License-Identifier: Apache-2.0
// Pairs the pictures of two folders that have the same path or stem, and goldens with variants.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "options/path_filter.h"
#include "options/values.h"

namespace cuimg {

/// One path of either folder.
struct TreePair {
  /// Relative to the folders, with '/': "icons/home.png". If extensions differ, the golden's.
  std::string path;
  /// The accepted files: `home.png`, then `home@@VARIANT.png` by name. Empty: there is none.
  std::vector<std::string> goldens;
  std::string result;  ///< Empty: it is missing.

  /// The path of one of its goldens: "icons/home@@dark.png".
  std::string path_of(const std::string& golden) const;
};

/// How a golden and a result are paired.
enum class MatchBy : std::uint8_t {
  path,
  stem,  ///< The path without its extension.
};
std::span<const Choice<MatchBy>> choices_of(MatchBy);

struct TreeMatching {
  MatchBy by = MatchBy::path;
  PathFilter files = {};  ///< Selects pictures in both folders.
  /// Receives warnings about files in formats that cannot be read; empty: they are ignored.
  std::function<void(const std::string&)> warn = {};
};

/// Lists every file with a picture format's extension in either folder and its subfolders, by path;
/// links are followed. Names that begin with a dot are left out, and if one folder contains the
/// other, the inner folder is left out of the outer one.
/// @param masks files that are not goldens, unless a result has the same path.
/// @throws Error for a folder that cannot be read, for a link to a folder that contains it, and
/// when pairing by stem for two files of one folder with the same stem.
std::vector<TreePair> pair_trees(const std::string& golden, const std::string& result,
                                 const std::vector<std::string>& masks,
                                 const TreeMatching& matching = {});

/// The variant's name, between "@@" and the extension; empty if there is none. A name that begins
/// with "@@", or has nothing after it, is no variant's.
std::string variant_of(const std::string& file);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// `.cuimg-compare`: limits for some of a golden tree's pictures. Only the golden tree is asked, so
// that a result cannot loosen its own limits.
//
//   # comment
//   [skies/*.exr]
//   fail = 0.002
//   allow-shift
//
// A pattern without '/' is for file names at any depth, others for paths from the rule file's
// folder; `*` and `?` stop at '/', `**` does not. Of all sections that match the last one counts,
// files of deeper folders after those above.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compare/limits.h"

namespace cuimg {

/// A section.
struct CompareRule {
  std::string folder;     ///< Of its file, from the tree's: "", "skies/".
  std::string pattern;    ///< As written, without brackets.
  std::string place;      ///< "golden/.cuimg-compare:3".
  std::string directory;  ///< Of its file, from here: names of masks count from there.
  std::vector<std::pair<std::string, std::string>> options;  ///< Names and texts, in order.
  bool matches(const std::string& path) const;
  /// Sets the limits that it names. Regions to ignore add to those there are.
  void apply(Limits& limits) const;
};

/// Rules of every `.cuimg-compare` in a tree, upper folders first.
/// @throws Error with file and line for what is no rule, and for options that do not exist.
std::vector<CompareRule> read_rules(const std::string& golden_folder);
/// The rules of one text. @param folder as CompareRule's. @param name what an error calls it.
std::vector<CompareRule> parse_rules(const std::string& text, const std::string& folder,
                                     const std::string& name);
/// The rule that counts for a picture, or null.
const CompareRule* rule_for(const std::vector<CompareRule>& rules, const std::string& path);

/// Whether all of `text` matches; '*' and '?' match no '/', '**' matches any text.
bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// `.cuimg-compare`: limits for some of a golden tree's pictures. Only the golden tree's files are
// read, so that a result cannot loosen its own limits.
//
//   # comment
//   [skies/*.exr]
//   fail = 0.002
//   allow-shift
//
// A pattern without '/' matches file names at any depth, others match paths from the rule file's
// folder; `*`, `?` and `[a-z]` stop at '/', `**` does not. All matching sections count, option by
// option as in .editorconfig and .gitattributes: the last section that sets an option gives its
// value. Files of deeper folders come after those above.
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
};

/// Rules of every `.cuimg-compare` in a tree, upper folders first; links are followed.
/// @param result_folder where it lies in the golden folder, no rule is read there.
/// @throws Error with file and line for what is no rule, and for options that do not exist.
std::vector<CompareRule> read_rules(const std::string& golden_folder,
                                    const std::string& result_folder);
/// The files that `mask` options name, as from here.
std::vector<std::string> masks_of(const std::vector<CompareRule>& rules);
/// The rules of one text. @param folder as CompareRule's. @param name what an error calls it.
std::vector<CompareRule> parse_rules(const std::string& text, const std::string& folder,
                                     const std::string& name);

/// The combined effect of all rules for one picture.
class PictureLimits {
 public:
  /// @param rules in their order; must outlive this. @param path of the picture, from the tree's
  /// folder.
  PictureLimits(const std::vector<CompareRule>& rules, const std::string& path);

  /// Sets the limits that sections name. Regions to ignore add to those there are.
  void apply(Limits& limits) const;
  /// Which section gives which value: "[*] of goldens/.cuimg-compare:2, fail = 0.002; [a.png] of
  /// ...". Empty where no section does.
  std::string text() const;
  /// The section that gives an option's value: "[*] of goldens/.cuimg-compare:2"; empty where none
  /// does.
  std::string section_of(const std::string& option) const;

 private:
  struct Given {
    const CompareRule* rule;
    std::string name;
    std::vector<std::string> texts;  ///< Several of an option that gathers; empty: `unset`.
  };
  std::vector<Given> given_;  ///< One for each name, in the order of their sections.
};

}  // namespace cuimg

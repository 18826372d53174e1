// SPDX-License-Identifier: Apache-2.0
// `.cuimg-compare`: limits for some of a golden tree's pictures. Only the golden tree's files are
// read, so a result cannot loosen its own limits.
//
//   # comment
//   [skies/*.exr]
//   fail = 0.002
//   allow-shift
//
//   [flicker.exr]
//   skip = waits for a fix of the fire
//
// A pattern without '/' matches file names at any depth, others match paths from the rule file's
// folder; `*`, `?` and `[a-z]` stop at '/', `**` does not. All matching sections apply, option by
// option as in .editorconfig and .gitattributes: the last section that sets an option determines
// its value. Files in deeper folders come after those in their parents. Sections that match only a
// variant's own name, such as [home@@dark.png], come after those that match the picture's name.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compare/limits.h"

namespace cuimg {

/// A section of a rule file.
struct CompareRule {
  std::string folder;   ///< The file's folder, relative to the tree: "", "skies/".
  std::string pattern;  ///< As written, without brackets.
  std::string place;    ///< "golden/.cuimg-compare:3".
  /// The file's folder, relative to the current one: names of masks are relative to it.
  std::string directory;
  std::vector<std::pair<std::string, std::string>> options;  ///< Names and texts, in order.
  bool matches(const std::string& path) const;
  std::string text() const { return "[" + pattern + "] of " + place; }
};

/// Rules of every `.cuimg-compare` in a tree, upper folders first; links are followed.
/// @param result_folder if it is inside the golden folder, no rules are read from it.
/// @throws Error with file and line for a line that is not a rule, and for options that do not
/// exist.
std::vector<CompareRule> read_rules(const std::string& golden_folder,
                                    const std::string& result_folder);
/// The files that `mask` options name, relative to the current folder.
std::vector<std::string> masks_of(const std::vector<CompareRule>& rules);
/// The rules in one text. @param folder as in CompareRule. @param name the text's name in errors.
std::vector<CompareRule> parse_rules(const std::string& text, const std::string& folder,
                                     const std::string& name);

/// The combined effect of all rules for one picture.
class PictureLimits {
 public:
  /// @param rules in order; they must outlive this. @param path of the picture, relative to the
  /// tree's folder. @param golden the path of the golden, if that is a variant.
  PictureLimits(const std::vector<CompareRule>& rules, const std::string& path,
                const std::string& golden = "");

  /// Sets the limits that sections contain. Regions to ignore are added to the existing ones.
  void apply(Limits& limits) const;
  /// The reason of `skip`: the picture is not compared. Empty: it is.
  std::string skip() const;
  /// The sections that set options: "[*] of goldens/.cuimg-compare:2, fail = 0.002; [a.png] of
  /// ...". Empty if there are none.
  std::string text() const;
  /// The section that sets an option: "[*] of goldens/.cuimg-compare:2"; empty if there is none.
  std::string section_of(const std::string& option) const;

 private:
  void add(const CompareRule& rule);

  struct Given {
    const CompareRule* rule;
    std::string name;
    /// Several for an option that collects values; empty: `unset`.
    std::vector<std::string> texts;
  };
  std::vector<Given> given_;  ///< One entry for each name, in the order of their sections.
};

}  // namespace cuimg

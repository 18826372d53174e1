// SPDX-License-Identifier: Apache-2.0
// Makes sure that `cuimg compare` replaces no file that it reads, except goldens with --update.
#pragma once

#include <string>
#include <vector>

#include "compare/limits.h"
#include "compare/trees/tree_pairs.h"

namespace cuimg {

/// A file's description in errors, and its name: {"--junit", "report.xml"}, {"the golden",
/// "a.png"}. Empty names and "-" are ignored.
struct NamedFile {
  std::string what, path;
};

/// @param written by options. @param html_folder of --html, or empty: index.html and scripts are
/// written there. @throws Error that names the option if a written file is also read, by any of its
/// names, or is written by two options, cannot be written, or is an index.html that is not a
/// report.
void check_compare_outputs(std::vector<NamedFile> written, const std::string& html_folder,
                           const std::vector<NamedFile>& read);

/// Refuses a report in a folder that is compared, unless it already contains one.
/// @param html_folder of --html, or empty. @throws Error.
void check_report_folder(const std::string& html_folder, const std::string& golden,
                         const std::string& result);

/// The files that a command reads: for two files, for two folders with rule files and masks, and
/// for sequences.
/// @throws Error for folders and rule files that cannot be read.
std::vector<NamedFile> files_read_of_files(const std::vector<std::string>& files,
                                           const Limits& limits);
std::vector<NamedFile> files_read_of_trees(const std::string& golden, const std::string& result,
                                           const Limits& limits);
std::vector<NamedFile> files_read_of_pairs(const std::vector<TreePair>& pairs,
                                           const Limits& limits);

}  // namespace cuimg

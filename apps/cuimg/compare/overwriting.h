// SPDX-License-Identifier: Apache-2.0
// `cuimg compare` replaces no file that it reads, except goldens with --update.
#pragma once

#include <string>
#include <vector>

#include "compare/limits.h"
#include "compare/trees/tree_pairs.h"

namespace cuimg {

/// What an error calls a file, and its name: {"--junit", "report.xml"}, {"the golden", "a.png"}.
/// Empty names and "-" are no files.
struct NamedFile {
  std::string what, path;
};

/// @param written by options. @param html_folder of --html, or empty: index.html and scripts are
/// written there. @throws Error naming the option where a file that is written is read under
/// whatever name, written by two options, or an index.html that no report is.
void check_compare_outputs(std::vector<NamedFile> written, const std::string& html_folder,
                           const std::vector<NamedFile>& read);

/// A report does not go into a folder that is compared, unless one is there already.
/// @param html_folder of --html, or empty. @throws Error.
void check_report_folder(const std::string& html_folder, const std::string& golden,
                         const std::string& result);

/// What a command reads: of two files, of two folders with rule files and masks, and of sequences.
/// @throws Error for folders and rule files that cannot be read.
std::vector<NamedFile> files_read_of_files(const std::vector<std::string>& files,
                                           const Limits& limits);
std::vector<NamedFile> files_read_of_trees(const std::string& golden, const std::string& result,
                                           const Limits& limits);
std::vector<NamedFile> files_read_of_pairs(const std::vector<TreePair>& pairs,
                                           const Limits& limits);

}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "overwriting.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "compare/trees/rule_file.h"
#include "compare/trees/tree_pairs.h"
#include "io/output_file.h"
#include "pipeline/batch/file_keys.h"

namespace cuimg {
namespace {

namespace fs = std::filesystem;

const char* const advice = "write to another file";

bool is_file_name(const std::string& path) { return !path.empty() && path != "-"; }

// Scripts of a report, which the next report in that folder replaces or removes.
bool is_of_report(const std::string& key, const std::string& folder_key) {
  const fs::path below = fs::path(key).lexically_relative(folder_key);
  if (below.empty()) return false;
  const fs::path first = *below.begin();
  return first == "pairs.unfinished" || (first == "pairs" && below.extension() == ".js");
}

// Whether the file lies in the folder of the report, which the report makes.
bool is_in(const std::string& key, const std::string& folder_key) {
  const fs::path below = fs::path(key).lexically_relative(folder_key);
  return !below.empty() && *below.begin() != "..";
}

void check_scripts(const std::string& html_folder, const std::vector<NamedFile>& files) {
  FileKeys keys;
  const std::string folder = keys.of(html_folder + "/.");
  for (const NamedFile& file : files)
    if (is_file_name(file.path) && is_of_report(keys.of(file.path), folder))
      throw Error(
          "compare",
          "--html " + html_folder + ": its scripts would replace " + file.what + ", " + file.path,
          "write to another folder");
}

std::string index_of(const std::string& html_folder) {
  return (fs::path(html_folder) / "index.html").string();
}

// A text that every report contains near its beginning (lib/compare/report/viewer/page.html).
bool is_report(const std::string& page) {
  constexpr std::string_view mark = "<title>cuimg compare</title>";
  std::string start(4096, '\0');
  std::ifstream file(page, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start.find(mark) != std::string::npos;
}

}  // namespace

void check_report_folder(const std::string& html_folder, const std::string& golden,
                         const std::string& result) {
  if (html_folder.empty() || is_report(index_of(html_folder))) return;
  FileKeys keys;
  const std::string key = keys.of(html_folder + "/.");
  for (const auto& [folder, what] :
       {std::pair{golden, "the goldens"}, std::pair{result, "the results"}})
    if (keys.of(folder + "/.") == key)
      throw Error("compare", "--html " + html_folder + ": it is the folder of " + what,
                  "write to another folder");
}

void check_compare_outputs(std::vector<NamedFile> written, const std::string& html_folder,
                           const std::vector<NamedFile>& read) {
  std::erase_if(written, [](const NamedFile& file) { return !is_file_name(file.path); });
  if (!html_folder.empty()) {
    check_scripts(html_folder, read);
    check_scripts(html_folder, written);
    written.push_back({"--html", index_of(html_folder)});
  }
  FilesRead files;
  for (const NamedFile& file : read)
    if (!file.path.empty()) files.add(file.path, {nullptr, file.what});
  FileKeys keys;
  std::map<std::string, std::string> writers;
  for (const NamedFile& file : written) {
    const std::string problem = file.what + " " + file.path;
    if (const FilesRead::Reader* const reader = files.find(file.path))
      throw Error("compare", problem + ": it is " + reader->file + " too", advice);
    const auto [other, is_first] = writers.emplace(keys.of(file.path), file.what);
    if (!is_first)
      throw Error("compare", problem + ": it is the file of " + other->second + " too", advice);
  }
  const std::string folder = html_folder.empty() ? "" : keys.of(html_folder + "/.");
  for (const NamedFile& file : written)
    if (folder.empty() || !is_in(keys.of(file.path), folder)) check_output(file.path, false, false);
  std::error_code unknown;
  if (const std::string index = index_of(html_folder);
      !html_folder.empty() && fs::exists(index, unknown) && !is_report(index))
    throw Error("compare", "--html " + index + ": it is not a report of cuimg",
                "write to another folder");
}

std::vector<NamedFile> files_read_of_files(const std::vector<std::string>& files,
                                           const Limits& limits) {
  return {{"the golden", files[0]}, {"the result", files[1]}, {"the file of --mask", limits.mask}};
}

std::vector<NamedFile> files_read_of_pairs(const std::vector<TreePair>& pairs,
                                           const Limits& limits) {
  std::vector<NamedFile> read = {{"the file of --mask", limits.mask}};
  for (const TreePair& pair : pairs) {
    for (const std::string& file : pair.goldens) read.push_back({"a golden", file});
    read.push_back({"a result", pair.result});
  }
  return read;
}

std::vector<NamedFile> files_read_of_trees(const std::string& golden, const std::string& result,
                                           const Limits& limits) {
  std::vector<NamedFile> read = {{"the file of --mask", limits.mask}};
  const std::vector<CompareRule> rules = read_rules(golden, result);
  const std::vector<std::string> masks = masks_of(rules);
  for (const TreePair& pair : pair_trees(golden, result, masks)) {
    for (const std::string& file : pair.goldens) read.push_back({"a golden", file});
    // --update would copy it to a golden that does not exist yet.
    if (pair.goldens.empty())
      read.push_back({"the golden of a result", (fs::path(golden) / pair.path).string()});
    read.push_back({"a result", pair.result});
  }
  const std::string rule_file = ".cuimg-compare";
  read.push_back({"a file of rules", (fs::path(golden) / rule_file).string()});
  for (const CompareRule& rule : rules)
    read.push_back({"a file of rules", (fs::path(rule.directory) / rule_file).string()});
  for (const std::string& mask : masks) read.push_back({"a mask", mask});
  return read;
}

}  // namespace cuimg

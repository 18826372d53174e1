// SPDX-License-Identifier: Apache-2.0
#include "compare/trees/tree_pairs.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

#include "base/contains.h"
#include "base/error.h"
#include "compare/trees/tree_walk.h"
#include "io/codec.h"
#include "io/folder_entry.h"
#include "io/refused.h"

namespace cuimg {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view variant_mark = "@@";

bool is_picture(const fs::path& file) { return codec_named(file_extension(file)) != nullptr; }

// Turns "icons/home@@dark.png" into "icons/home.png".
std::string without_variant(const std::string& path) {
  const std::size_t mark = path.rfind(variant_mark), dot = path.rfind('.');
  const std::size_t name = path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1;
  const bool has_variant = mark != std::string::npos && mark > name && dot != std::string::npos &&
                           dot > mark + variant_mark.size();
  return has_variant ? path.substr(0, mark) + path.substr(dot) : path;
}

// Paths relative to the folder.
// @param other the other folder of the comparison, which may be inside this one.
std::vector<std::string> pictures_in(const std::string& folder, const std::string& other,
                                     const TreeMatching& matching) {
  std::vector<std::string> paths;
  RefusedFiles refused;
  walk_tree(folder, other, [&](const fs::directory_entry& entry, const std::string& path) {
    std::error_code unknown;
    if (entry.is_directory(unknown) || is_pipe_or_device(entry)) return;
    if (is_picture(entry.path()))
      paths.push_back(path);
    else if (matching.files.takes(path))
      refused.take(entry.path().string());
  });
  const std::string remark = refused.remark(folder);
  if (matching.warn && !remark.empty()) matching.warn(remark);
  return paths;
}

// Turns "icons/home.png" into "icons/home".
std::string without_extension(const std::string& path) {
  return fs::path(path).replace_extension().generic_string();
}

[[noreturn]] void refuse_ambiguous(const std::string& one, const std::string& other) {
  throw Error("compare",
              printable(one) + " and " + printable(other) +
                  " have the same stem, so --match stem cannot choose between them",
              "leave one out with --exclude");
}

}  // namespace

std::string TreePair::path_of(const std::string& golden) const {
  return (fs::path(path).parent_path() / fs::path(golden).filename()).generic_string();
}

std::string variant_of(const std::string& file) {
  const std::string base = without_variant(file);
  if (base.size() == file.size()) return {};
  const std::size_t mark = file.rfind(variant_mark) + variant_mark.size();
  return file.substr(mark, file.rfind('.') - mark);
}

std::span<const Choice<MatchBy>> choices_of(MatchBy) {
  static constexpr Choice<MatchBy> table[] = {
      {MatchBy::path, "path", "by path"},
      {MatchBy::stem, "stem", "by path without the extension, as a.png and a.exr"}};
  return table;
}

std::vector<TreePair> pair_trees(const std::string& golden, const std::string& result,
                                 const std::vector<std::string>& masks,
                                 const TreeMatching& matching) {
  std::vector<std::string> goldens = pictures_in(golden, result, matching);
  std::vector<std::string> results = pictures_in(result, golden, matching);
  std::set<fs::path> mask_files;
  for (const std::string& mask : masks) mask_files.insert(fs::absolute(mask).lexically_normal());
  std::erase_if(goldens, [&](const std::string& path) {
    return mask_files.contains(fs::absolute(fs::path(golden) / path).lexically_normal()) &&
           !contains(results, path);
  });
  std::erase_if(goldens, [&](const std::string& path) {
    return !matching.files.takes(without_variant(path));
  });
  std::erase_if(results, [&](const std::string& path) { return !matching.files.takes(path); });
  // The picture without a variant comes first, the others by name.
  std::ranges::sort(goldens, [](const std::string& a, const std::string& b) {
    const bool a_varies = !variant_of(a).empty(), b_varies = !variant_of(b).empty();
    return a_varies != b_varies ? b_varies : a < b;
  });
  std::ranges::sort(results);
  const auto key = [&](const std::string& path) {
    return matching.by == MatchBy::stem ? without_extension(path) : path;
  };
  std::map<std::string, TreePair> pairs;
  for (const std::string& path : goldens) {
    TreePair& pair = pairs[key(without_variant(path))];
    const std::string file = (fs::path(golden) / path).string();
    if (pair.goldens.empty())
      pair.path = without_variant(path);
    else if (variant_of(path).empty())
      refuse_ambiguous(pair.goldens.front(), file);
    pair.goldens.push_back(file);
  }
  for (const std::string& path : results) {
    TreePair& pair = pairs[key(path)];
    const std::string file = (fs::path(result) / path).string();
    if (!pair.result.empty()) refuse_ambiguous(pair.result, file);
    pair.result = file;
    if (pair.goldens.empty()) pair.path = path;
  }
  std::vector<TreePair> list;
  for (auto& [path, pair] : pairs) list.push_back(std::move(pair));
  return list;
}

}  // namespace cuimg

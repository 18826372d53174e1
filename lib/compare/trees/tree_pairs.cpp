// SPDX-License-Identifier: Apache-2.0
#include "compare/trees/tree_pairs.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "compare/trees/tree_walk.h"
#include "io/codec.h"
#include "io/folder_entry.h"

namespace cuimg {
namespace {

namespace fs = std::filesystem;

bool is_picture(const fs::path& file) {
  const std::string extension = file.extension().string();
  return extension.size() > 1 && codec_named(extension.substr(1)) != nullptr;
}

// Paths relative to the folder.
// @param other the other folder of the comparison, which may lie in this one.
std::vector<std::string> pictures_in(const std::string& folder, const std::string& other) {
  std::vector<std::string> paths;
  walk_tree(folder, other, [&](const fs::directory_entry& entry, const std::string& path) {
    std::error_code unknown;
    if (!entry.is_directory(unknown) && is_picture(entry.path()) && !is_pipe_or_device(entry))
      paths.push_back(path);
  });
  return paths;
}

// "icons/home@@dark.png" as "icons/home.png".
std::string without_variant(const std::string& path) {
  const std::size_t slash = path.rfind('/'), mark = path.rfind("@@");
  if (mark == std::string::npos || (slash != std::string::npos && mark < slash)) return path;
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos || dot < mark ? path : path.substr(0, mark) + path.substr(dot);
}

}  // namespace

std::string variant_of(const std::string& file) {
  const std::string base = without_variant(file);
  if (base.size() == file.size()) return {};
  const std::size_t mark = file.rfind("@@") + 2;
  return file.substr(mark, file.rfind('.') - mark);
}

std::vector<TreePair> pair_trees(const std::string& golden, const std::string& result,
                                 const std::vector<std::string>& masks) {
  std::map<std::string, TreePair> pairs;
  std::vector<std::string> goldens = pictures_in(golden, result);
  const std::vector<std::string> results = pictures_in(result, golden);
  std::set<fs::path> mask_files;
  for (const std::string& mask : masks) mask_files.insert(fs::absolute(mask).lexically_normal());
  std::erase_if(goldens, [&](const std::string& path) {
    return mask_files.contains(fs::absolute(fs::path(golden) / path).lexically_normal()) &&
           std::ranges::find(results, path) == results.end();
  });
  // The picture without a variant comes first, the others by name.
  std::ranges::sort(goldens, [](const std::string& a, const std::string& b) {
    const bool a_varies = !variant_of(a).empty(), b_varies = !variant_of(b).empty();
    return a_varies != b_varies ? b_varies : a < b;
  });
  for (const std::string& path : goldens)
    pairs[without_variant(path)].goldens.push_back((fs::path(golden) / path).string());
  for (const std::string& path : results) pairs[path].result = (fs::path(result) / path).string();
  std::vector<TreePair> list;
  for (auto& [path, pair] : pairs) {
    pair.path = path;
    list.push_back(std::move(pair));
  }
  return list;
}

}  // namespace cuimg

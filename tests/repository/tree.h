// SPDX-License-Identifier: Apache-2.0
// The project's own files, for tests that read them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace cuimg::test {

inline std::filesystem::path project_folder() {
  return std::filesystem::path(CUIMG_TEST_DATA).parent_path().parent_path();
}

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

struct SourceFile {
  std::string path;  ///< "lib/io/codec.h"
  std::string text;
};

/// Every file in these folders whose name ends with one of `endings`, sorted by path.
inline std::vector<SourceFile> files_in(const std::vector<std::string>& folders,
                                        const std::vector<std::string>& endings) {
  std::vector<SourceFile> found;
  for (const std::string& folder : folders)
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(project_folder() / folder)) {
      const std::string name = entry.path().filename().string();
      const bool wanted = std::any_of(endings.begin(), endings.end(),
                                      [&](const std::string& e) { return name.ends_with(e); });
      if (!entry.is_regular_file() || !wanted) continue;
      found.push_back(
          {entry.path().lexically_relative(project_folder()).string(), text_of(entry.path())});
    }
  std::sort(found.begin(), found.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return found;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    lines.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

}  // namespace cuimg::test

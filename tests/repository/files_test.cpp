// SPDX-License-Identifier: Apache-2.0
// Rules for every file of the project.
#include <gtest/gtest.h>

#include "repository/tree.h"

namespace cuimg::test {
namespace {

const std::vector<std::string> folders = {"apps",    "cmake",   "kernels", "lib",
                                          "samples", "scripts", "tests"};

TEST(Files, OpenWithTheirLicenceAndWhyTheyExist) {
  const auto sources = files_in(
      folders, {".h", ".cpp", ".cu", ".cuh", ".cmake", "CMakeLists.txt", ".in", ".sh", ".py"});
  EXPECT_GT(sources.size(), 100u);
  for (const SourceFile& file : sources) {
    std::vector<std::string> lines = lines_of(file.text);
    if (!lines.empty() && lines.front().starts_with("#!")) lines.erase(lines.begin());
    ASSERT_GE(lines.size(), 2u) << file.path;
    EXPECT_TRUE(lines[0].ends_with(" SPDX-License-Identifier: Apache-2.0")) << file.path;
    // A test's names explain it, and a header's comment also explains its source.
    if (file.path.ends_with("_test.cpp")) continue;
    const std::string header = file.path.substr(0, file.path.rfind('.')) + ".h";
    if (!file.path.ends_with(".h") && std::filesystem::exists(project_folder() / header)) continue;
    const bool is_script = lines[0].starts_with("#");
    EXPECT_TRUE(lines[1].starts_with(is_script ? "#" : "//") || lines[1].starts_with("\"\"\""))
        << file.path << " does not say why it exists";
  }
}

TEST(Files, OfTheScriptsFolderAreLicensedToo) {
  for (const char* name :
       {"scripts/cuimg", "scripts/test", "scripts/bundle", "scripts/goldens", ".ci/run"}) {
    const std::vector<std::string> lines = lines_of(text_of(project_folder() / name));
    ASSERT_GE(lines.size(), 3u) << name;
    EXPECT_EQ(lines[0], "#!/usr/bin/env bash") << name;
    EXPECT_EQ(lines[1], "# SPDX-License-Identifier: Apache-2.0") << name;
  }
}

TEST(Files, StayWithinAHundredColumnsAndHaveNoTabs) {
  for (const SourceFile& file : files_in(folders, {".h", ".cpp", ".cu", ".cuh"})) {
    int number = 0;
    for (const std::string& line : lines_of(file.text)) {
      ++number;
      // Continuation bytes of a character take no column.
      const auto columns = std::count_if(line.begin(), line.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
      });
      EXPECT_LE(columns, 100) << file.path << ":" << number;
      EXPECT_EQ(line.find('\t'), std::string::npos) << file.path << ":" << number;
    }
  }
}

TEST(Files, AskHowManyThreadsThereAreInOnePlace) {
  // The library's hardware_threads() respects a container's quota; these functions do not.
  const std::vector<std::pair<std::string, std::string>> words = {
      {"hardware_concurrency", "lib/base/threads.cpp"},
      // queue.cpp must know how many workers oneTBB starts by default.
      {"default_concurrency", "lib/device/queue.cpp"},
      {"_SC_NPROCESSORS", ""}};
  for (const SourceFile& file : files_in({"apps", "kernels", "lib"}, {".h", ".cpp", ".cu", ".cuh"}))
    for (const auto& [word, place] : words)
      EXPECT_EQ(file.text.find(word) != std::string::npos, file.path == place)
          << file.path << ": " << word;
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// The README agrees with the program's own texts, and links in documents lead to existing files.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "repository/tree.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

TEST(Readme, HoldsTheStageTableAsTheProgramPrintsIt) {
  const Outcome table = run({CUIMG_PROGRAM, "stages", "--markdown"});
  ASSERT_EQ(table.exit, 0) << table.err;
  ASSERT_NE(table.out.find("| `resize` |"), std::string::npos) << table.out;
  EXPECT_NE(text_of(project_folder() / "README.md").find("\n" + table.out + "\n"),
            std::string::npos)
      << "replace the table in README.md by what `cuimg stages --markdown` prints:\n"
      << table.out;
}

// The example in the README is the consumer program that a test builds.
TEST(Readme, ShowsTheConsumersCode) {
  const std::string code = text_of(project_folder() / "tests/consumer/thumbnail.cpp");
  const std::size_t start = code.find("#include");
  ASSERT_NE(start, std::string::npos);
  EXPECT_NE(text_of(project_folder() / "README.md").find("```cpp\n" + code.substr(start) + "```"),
            std::string::npos)
      << "copy tests/consumer/thumbnail.cpp";
}

TEST(Readme, NamesEveryPreset) {
  const std::string readme = text_of(project_folder() / "README.md");
  const std::string list = readme.substr(std::min(readme.find("\nPresets: "), readme.size()));
  const auto presets = nlohmann::json::parse(text_of(project_folder() / "CMakePresets.json"));
  for (const auto& preset : presets["configurePresets"])
    EXPECT_NE(list.find("`" + preset["name"].get<std::string>() + "`"), std::string::npos)
        << preset["name"];
}

TEST(Readme, NamesEveryPackageOnlyByPointingAtTheList) {
  // The list is in one place, and neither the README nor CONTRIBUTING.md repeats it.
  for (const char* document : {"README.md", "CONTRIBUTING.md"})
    EXPECT_EQ(text_of(project_folder() / document).find("libopenexr-dev"), std::string::npos)
        << document;
}

TEST(Documents, LinkToFilesThatAreThere) {
  std::vector<SourceFile> documents = files_in({"docs", "samples"}, {".md"});
  for (const char* document : {"README.md", "CONTRIBUTING.md"})
    documents.push_back({document, text_of(project_folder() / document)});
  const std::regex link(R"(\]\(([^)#\s]+)(#[^)\s]*)?\))");
  int links = 0;
  for (const SourceFile& document : documents) {
    std::sregex_iterator found(document.text.begin(), document.text.end(), link);
    for (; found != std::sregex_iterator(); ++found) {
      const std::string target = (*found)[1];
      if (target.starts_with("https://")) continue;
      ++links;
      const auto folder = (project_folder() / document.path).parent_path();
      EXPECT_TRUE(std::filesystem::exists(folder / target)) << document.path << ": " << target;
    }
  }
  EXPECT_GT(links, 100);
}

}  // namespace
}  // namespace cuimg::test

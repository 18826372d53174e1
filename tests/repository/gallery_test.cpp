// SPDX-License-Identifier: Apache-2.0
// The gallery shows every stage, and agrees with its list.
#include <gtest/gtest.h>

#include <set>

#include "pipeline/recipe.h"
#include "repository/tree.h"
#include "stages/registry.h"

namespace cuimg::test {
namespace {

struct Entry {
  std::string stage, command;
};

// Reads "STAGE: COMMAND" and skips headings, comments and the entries' input files.
std::vector<Entry> listed() {
  std::vector<Entry> entries;
  for (const std::string& line : lines_of(text_of(project_folder() / "docs/gallery/list.txt"))) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("#") || line.starts_with("file ") || colon == std::string::npos) continue;
    entries.push_back({line.substr(0, colon), line.substr(colon + 2)});
  }
  return entries;
}

TEST(Gallery, HasAnEntryForEveryStageOfTheTable) {
  std::set<std::string> shown;
  for (const Entry& entry : listed()) shown.insert(entry.stage);
  for (const StageDescription* stage : stages())
    EXPECT_TRUE(shown.contains(stage->name))
        << "add a line for " << stage->name << " to docs/gallery/list.txt and run scripts/gallery";
}

TEST(Gallery, RunsTheStageThatAnEntryIsFor) {
  for (const Entry& entry : listed()) {
    const std::vector<std::string> words = recipe_words(entry.command, "list.txt");
    bool runs = false, begins = true;
    for (const std::string& word : words) {
      runs = runs || (begins && word == entry.stage);
      begins = word == "+";
    }
    EXPECT_TRUE(runs) << entry.command << " is no entry for " << entry.stage;
  }
}

TEST(Gallery, ShowsWhatItsListSays) {
  const std::string page = text_of(project_folder() / "docs/gallery/README.md");
  for (const Entry& entry : listed())
    EXPECT_NE(page.find("`cuimg " + entry.command + "`"), std::string::npos)
        << entry.command << " is not shown: run scripts/gallery";
  for (std::size_t at = page.find("]("); at != std::string::npos; at = page.find("](", at + 1)) {
    const std::string name = page.substr(at + 2, page.find(')', at) - at - 2);
    EXPECT_TRUE(std::filesystem::exists(project_folder() / "docs/gallery" / name)) << name;
  }
}

}  // namespace
}  // namespace cuimg::test

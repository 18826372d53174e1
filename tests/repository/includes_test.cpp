// SPDX-License-Identifier: Apache-2.0
// The allowed directions of includes: docs/ARCHITECTURE.md lists which room includes which.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "repository/tree.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

using Words = std::set<std::string>;

// A line of the table of rooms in docs/ARCHITECTURE.md. "io/{jpeg,png}" means two rooms.
struct Line {
  std::vector<std::string> rooms;
  Words includes;
};

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> words;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(separator, from), text.size());
    if (end > from) words.push_back(text.substr(from, end - from));
    from = end + separator.size();
  }
  return words;
}

std::vector<std::string> rooms_named(const std::string& cell) {
  const std::size_t brace = cell.find('{');
  if (brace == std::string::npos) return {cell};
  std::vector<std::string> rooms = split(cell.substr(brace + 1, cell.find('}') - brace - 1), ",");
  for (std::string& room : rooms) room.insert(0, cell, 0, brace);
  return rooms;
}

std::string document() { return text_of(project_folder() / "docs/ARCHITECTURE.md"); }

const std::vector<Line>& table() {
  static const std::vector<Line> lines = [] {
    static const std::regex row(R"(\| `([a-z/_{},]+)` \| .* \| (.*?) ?\|)");
    std::vector<Line> found;
    for (const std::string& line : lines_of(document())) {
      std::smatch match;
      if (!std::regex_match(line, match, row)) continue;
      const std::vector<std::string> names = split(match[2], ", ");
      found.push_back({rooms_named(match[1]), Words(names.begin(), names.end())});
    }
    return found;
  }();
  return lines;
}

const Line* line_of(const std::string& room) {
  for (const Line& line : table())
    if (std::count(line.rooms.begin(), line.rooms.end(), room) > 0) return &line;
  return nullptr;
}

struct Include {
  std::string name;
  bool angled;
};

std::vector<Include> includes_of(const std::string& text) {
  static const std::regex directive(R"(#\s*include\s*([<"])([^>"]+)[>"])");
  std::vector<Include> found;
  for (const std::string& line : lines_of(text)) {
    std::smatch match;
    if (std::regex_search(line, match, directive)) found.push_back({match[2], match[1] == "<"});
  }
  return found;
}

// "io/exr" for lib/io/exr/exr_codec.h, "kernels/math" for kernels/math/half.h; empty for a file
// outside of all rooms.
std::string room_of_file(std::string path) {
  if (path.starts_with("lib/")) path.erase(0, 4);
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

const std::vector<std::string> source_endings = {".h", ".cpp", ".cu", ".cuh"};

// For each room, the other rooms that its files include, with one such include for the error.
std::map<std::string, std::map<std::string, std::string>> includes_between_rooms() {
  std::map<std::string, std::map<std::string, std::string>> found;
  const std::vector<SourceFile> files = files_in({"kernels", "lib", "apps"}, source_endings);
  for (const SourceFile& file : files)
    if (const std::string room = room_of_file(file.path); !room.empty()) found[room];
  for (const SourceFile& file : files) {
    const std::string room = room_of_file(file.path);
    if (room.empty()) continue;
    for (const Include& include : includes_of(file.text)) {
      const std::string other = room_of_file(include.name);
      if (!include.angled && other != room && found.contains(other))
        found[room].emplace(other, file.path + " includes " + include.name);
    }
  }
  return found;
}

TEST(Includes, OfARoomAreThoseThatItsLineOfTheArchitectureNames) {
  const auto found = includes_between_rooms();
  EXPECT_GT(found.size(), 30u);
  for (const auto& [room, others] : found) {
    const Line* line = line_of(room);
    ASSERT_NE(line, nullptr) << "add a line for " << room << " to docs/ARCHITECTURE.md";
    for (const auto& [other, example] : others)
      EXPECT_TRUE(line->includes.contains(other)) << example << ", which its line does not name";
  }
}

TEST(Architecture, NamesRoomsAndArrowsThatThereAre) {
  const auto found = includes_between_rooms();
  for (const Line& line : table())
    for (const std::string& room : line.rooms)
      EXPECT_TRUE(found.contains(room)) << "docs/ARCHITECTURE.md: there is no room " << room;
  for (const Line& line : table())
    for (const std::string& other : line.includes)
      EXPECT_TRUE(std::any_of(
          line.rooms.begin(), line.rooms.end(),
          [&](const auto& room) { return found.contains(room) && found.at(room).contains(other); }))
          << line.rooms.front() << " does not include " << other
          << " any more: run scripts/architecture";
}

TEST(Architecture, HasNoArrowUpwards) {
  Words above;
  for (const Line& line : table()) {
    for (const std::string& other : line.includes)
      EXPECT_TRUE(above.contains(other)) << line.rooms.front() << " includes " << other;
    above.insert(line.rooms.begin(), line.rooms.end());
  }
}

TEST(Architecture, IsDrawnAsItIs) {
  const Outcome check = run({(project_folder() / "scripts/architecture").string(), "--check"});
  EXPECT_EQ(check.exit, 0) << check.err;
}

TEST(Architecture, NamesFilesAndFunctionsThatThereAre) {
  static const std::regex named("`((?:apps|kernels|lib|scripts)/[a-z0-9_/]+(?:\\.[a-z]+)?)`");
  static const std::regex step("\\| .* \\| `([a-z0-9_/.]+)` \\| `([A-Za-z_:]+)` \\|");
  const std::string text = document();
  for (std::sregex_iterator i(text.begin(), text.end(), named), end; i != end; ++i)
    EXPECT_TRUE(std::filesystem::exists(project_folder() / (*i)[1].str())) << (*i)[1];
  int steps = 0;
  for (const std::string& line : lines_of(text)) {
    std::smatch match;
    if (!std::regex_match(line, match, step)) continue;
    ++steps;
    EXPECT_NE(text_of(project_folder() / match[1].str()).find(match[2].str() + "("),
              std::string::npos)
        << line;
  }
  EXPECT_GT(steps, 10);
}

TEST(Rooms, HoldNoMoreThanFortyFiles) {
  std::map<std::string, int> files;
  for (const SourceFile& file :
       files_in({"kernels", "lib", "apps", "samples", "tests"}, source_endings))
    ++files[file.path.substr(0, file.path.rfind('/'))];
  for (const auto& [folder, count] : files) EXPECT_LE(count, 40) << folder;
}

TEST(Includes, NeverNameTheProgramFromTheLibrary) {
  for (const SourceFile& file : files_in({"kernels", "lib"}, source_endings))
    for (const Include& include : includes_of(file.text))
      EXPECT_FALSE(include.name.starts_with("apps/") || include.name == "commands.h")
          << file.path << " includes " << include.name;
}

TEST(Includes, OfTheCudaRuntimeAreInTheirTwoPlaces) {
  bool seen = false;
  for (const SourceFile& file : files_in({"kernels", "lib", "apps", "samples"}, source_endings))
    for (const Include& include : includes_of(file.text)) {
      if (!include.name.starts_with("cuda_runtime")) continue;
      seen = true;
      EXPECT_TRUE(file.path == "kernels/texture/texture_cuda.h" ||
                  file.path.starts_with("lib/device/cuda/"))
          << file.path << " includes " << include.name;
    }
  EXPECT_TRUE(seen);
}

TEST(Includes, OfKernelsNeedNoContainersAndNoMathLibrary) {
  const Words fine = {"cstdint",     "cstddef",   "type_traits",     "limits",
                      "immintrin.h", "concepts",  "utility",         "cuda_runtime.h",
                      "cstring",     "algorithm", "initializer_list"};
  for (const SourceFile& file : files_in({"kernels"}, source_endings)) {
    EXPECT_TRUE(file.path.ends_with(".h")) << file.path << ": kernels are headers only";
    for (const Include& include : includes_of(file.text))
      EXPECT_TRUE(!include.angled || fine.contains(include.name))
          << file.path << " includes <" << include.name << ">";
  }
}

}  // namespace
}  // namespace cuimg::test

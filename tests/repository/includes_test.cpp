// SPDX-License-Identifier: Apache-2.0
// The directions between rooms: a room includes itself and those before it, never those after.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "repository/tree.h"

namespace cuimg::test {
namespace {

using Words = std::set<std::string>;

// What each room may include besides itself.
const std::map<std::string, Words> allowed = {
    {"kernels", {}},
    {"image", {"kernels"}},
    {"io", {"kernels", "image"}},
    {"device", {"kernels", "image"}},
    {"stages", {"kernels", "image", "io", "device"}},
    {"pipeline", {"kernels", "image", "io", "device", "stages"}},
};

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

// "io" of lib/io/codec.h, "kernels" of kernels/math.h, empty for what stands beside the rooms.
std::string room_of_file(std::string path) {
  if (path.starts_with("lib/")) path.erase(0, 4);
  const std::size_t slash = path.find('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

const std::vector<std::string> source_endings = {".h", ".cpp", ".cu", ".cuh"};

TEST(Includes, OfARoomNameItselfAndTheRoomsBeforeIt) {
  int seen = 0;
  for (const SourceFile& file : files_in({"kernels", "lib"}, source_endings)) {
    const std::string room = room_of_file(file.path);
    if (room.empty()) continue;
    ASSERT_TRUE(allowed.contains(room)) << file.path << ": the test does not know its room";
    for (const Include& include : includes_of(file.text)) {
      const std::string other = room_of_file(include.name);
      if (include.angled || !allowed.contains(other)) continue;
      ++seen;
      EXPECT_TRUE(other == room || allowed.at(room).contains(other))
          << file.path << " includes " << include.name;
    }
  }
  EXPECT_GT(seen, 100);
}

TEST(Includes, NeverNameTheProgramFromTheLibrary) {
  for (const SourceFile& file : files_in({"kernels", "lib"}, source_endings))
    for (const Include& include : includes_of(file.text))
      EXPECT_FALSE(include.name.starts_with("apps/") || include.name == "commands.h")
          << file.path << " includes " << include.name;
}

TEST(Includes, OfTheCudaRuntimeStandInTheirTwoPlaces) {
  bool seen = false;
  for (const SourceFile& file : files_in({"kernels", "lib", "apps", "samples"}, source_endings))
    for (const Include& include : includes_of(file.text)) {
      if (!include.name.starts_with("cuda_runtime")) continue;
      seen = true;
      EXPECT_TRUE(file.path == "kernels/texture_cuda.h" || file.path.starts_with("lib/device/"))
          << file.path << " includes " << include.name;
    }
  EXPECT_TRUE(seen);
}

TEST(Includes, OfKernelsNeedNoContainersAndNoMathLibrary) {
  const Words fine = {"cstdint",  "cstddef", "type_traits",    "limits",  "immintrin.h",
                      "concepts", "utility", "cuda_runtime.h", "cstring", "algorithm"};
  for (const SourceFile& file : files_in({"kernels"}, source_endings)) {
    EXPECT_TRUE(file.path.ends_with(".h")) << file.path << ": kernels are headers only";
    for (const Include& include : includes_of(file.text))
      EXPECT_TRUE(!include.angled || fine.contains(include.name))
          << file.path << " includes <" << include.name << ">";
  }
}

}  // namespace
}  // namespace cuimg::test

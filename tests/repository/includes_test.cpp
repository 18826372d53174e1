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

// What the machinery of several families of stages may include, and `more`.
Words machinery(Words more) {
  more.insert({"kernels/math", "kernels/texture", "kernels/color", "kernels/stencil",
               "kernels/warp", "kernels/generate", "base", "image", "options", "io", "device",
               "device/cpu", "device/cuda", "stages"});
  return more;
}

// Likewise for a family of stages.
Words family(Words more) {
  more.insert("stages/pass");
  return machinery(std::move(more));
}

// Each room and the rooms it may include besides itself, those below first. A line that is not
// needed any more is removed here too, so that the list is the house as it is
// (docs/ARCHITECTURE.md).
const std::map<std::string, Words> allowed = {
    {"kernels/math", {}},
    {"kernels/texture", {"kernels/math"}},
    {"kernels/color", {"kernels/math"}},
    {"kernels/stencil", {"kernels/math"}},
    {"kernels/warp", {"kernels/math", "kernels/texture", "kernels/stencil"}},
    {"kernels/generate", {"kernels/math", "kernels/color"}},
    {"base", {"kernels/math"}},
    {"image", {"kernels/math", "kernels/color", "base"}},
    {"options", {"base", "image"}},
    {"io", {"base", "image"}},
    {"io/tags", {"base", "image"}},
    {"io/exr", {"base", "image", "io"}},
    {"io/jpeg", {"base", "image", "io", "io/tags"}},
    {"io/png", {"base", "image", "io", "io/tags"}},
    {"io/simple", {"base", "image", "io", "io/tags"}},
    {"io/tiff", {"base", "image", "io", "io/tags"}},
    {"device", {"base", "image", "device/cpu"}},
    {"device/cpu", {"kernels/math", "kernels/texture", "base"}},
    {"device/cuda", {"kernels/math", "kernels/texture", "base", "image", "device"}},
    {"stages", {"image", "options", "io", "device"}},
    {"stages/pass", machinery({})},
    {"stages/resample", machinery({"stages/pass"})},
    {"stages/warp", machinery({"stages/pass", "stages/resample"})},
    {"stages/window", machinery({"stages/pass", "stages/warp"})},
    {"stages/geometry", family({"stages/resample", "stages/warp"})},
    {"stages/filter", family({"stages/resample", "stages/warp", "stages/window"})},
    {"stages/color", family({})},
    {"stages/combine", family({})},
    {"stages/analyse", family({})},
    {"stages/pyramid", family({"stages/geometry"})},
    {"stages/generate", family({})},
    {"pipeline", family({"stages/combine", "stages/geometry"})},
    {"pipeline/batch", {"base", "image", "options", "io", "stages", "pipeline"}},
    {"pipeline/derive", {"base", "image", "options", "io", "stages", "pipeline"}},
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

// "io/exr" of lib/io/exr/exr_codec.h, "kernels/math" of kernels/math/half.h, empty for a file of no
// room.
std::string room_of_file(std::string path) {
  if (path.starts_with("lib/")) path.erase(0, 4);
  const std::size_t slash = path.rfind('/');
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

TEST(Rooms, HoldNoMoreThanFortyFiles) {
  std::map<std::string, int> files;
  for (const SourceFile& file : files_in({"kernels", "lib", "apps"}, source_endings))
    ++files[file.path.substr(0, file.path.rfind('/'))];
  for (const auto& [folder, count] : files) EXPECT_LE(count, 40) << folder;
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
      EXPECT_TRUE(file.path == "kernels/texture/texture_cuda.h" ||
                  file.path.starts_with("lib/device/cuda/"))
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

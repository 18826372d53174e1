// SPDX-License-Identifier: Apache-2.0
// One place looks at the processor, so that CUIMG_CPU=baseline reaches every choice.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "repository/tree.h"

namespace cuimg::test {
namespace {

const std::vector<std::string> sources = {".h", ".cpp", ".cu", ".cuh"};

TEST(Dispatch, LooksAtTheProcessorInOnePlaceAlone) {
  // Of the compilers, of Highway's library, of the C library and of the instruction itself.
  static const std::regex probe(
      R"(__builtin_cpu_|\bSupportedTargets\b|HWY_DYNAMIC_|HWY_EXPORT|target_clones|\bifunc\b)"
      R"(|\bgetauxval\b|__get_cpuid|\bcpuid\b)");
  std::set<std::string> places;
  for (const SourceFile& file : files_in({"apps", "kernels", "lib"}, sources))
    for (const std::string& line : lines_of(file.text))
      if (std::regex_search(line, probe)) places.insert(file.path);
  EXPECT_EQ(places, std::set<std::string>{"lib/base/instruction_set.cpp"});
}

TEST(Dispatch, IsByTheInstructionSetInUseWhereverCodeIsForAnother) {
  static const std::regex other(R"(target\(")"), asks(R"(\buses_avx2\(|CUIMG_DISPATCH\()");
  static const std::regex highway(R"(foreach_target\.h)");
  int seen = 0;
  for (const SourceFile& file : files_in({"apps", "kernels", "lib"}, sources)) {
    if (!std::regex_search(file.text, other) && !std::regex_search(file.text, highway)) continue;
    ++seen;
    EXPECT_TRUE(std::regex_search(file.text, asks)) << file.path;
  }
  EXPECT_GE(seen, 5);
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// Only one place checks the processor, so that CUIMG_CPU=baseline affects every choice.
#include <gtest/gtest.h>

#include <set>

#include "repository/tree.h"

namespace cuimg::test {
namespace {

bool has_one_of(const SourceFile& file, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return file.text.find(word) != std::string::npos;
  });
}

std::vector<SourceFile> sources() {
  return files_in({"apps", "kernels", "lib"}, {".h", ".cpp", ".cu", ".cuh"});
}

TEST(Dispatch, LooksAtTheProcessorInOnePlaceAlone) {
  // The compiler's functions, Highway's, the C library's, and the instruction itself.
  const std::vector<std::string> probes = {"__builtin_cpu_", "target_clones", "ifunc",
                                           "HWY_DYNAMIC_",   "HWY_EXPORT",    "SupportedTargets",
                                           "getauxval",      "get_cpuid",     "\"cpuid"};
  std::set<std::string> places;
  for (const SourceFile& file : sources())
    if (has_one_of(file, probes)) places.insert(file.path);
  EXPECT_EQ(places, std::set<std::string>{"lib/base/instruction_set.cpp"});
}

TEST(Dispatch, IsByTheInstructionSetInUseWhereverCodeIsForAnother) {
  int seen = 0;
  for (const SourceFile& file : sources()) {
    if (!has_one_of(file, {"target(\"", "foreach_target.h", "<immintrin.h>"})) continue;
    ++seen;
    EXPECT_TRUE(has_one_of(file, {"uses_avx2()", "uses_avx512()", "CUIMG_DISPATCH("})) << file.path;
  }
  EXPECT_GE(seen, 5);
}

}  // namespace
}  // namespace cuimg::test

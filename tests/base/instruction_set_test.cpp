// SPDX-License-Identifier: Apache-2.0
#include "base/instruction_set.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/used_instruction_set.h"

namespace cuimg::test {
namespace {

Environment with_cpu(const std::string& value) {
  return [value](const std::string& name) {
    return name == "CUIMG_CPU" ? std::optional(value) : std::nullopt;
  };
}

TEST(InstructionSet, IsTheProcessorsBestUnlessTheVariableSaysBaseline) {
  const Environment empty = [](const std::string&) { return std::nullopt; };
  EXPECT_EQ(wanted_instruction_set(empty), native_instruction_set());
  EXPECT_EQ(wanted_instruction_set(with_cpu("native")), native_instruction_set());
  EXPECT_EQ(wanted_instruction_set(with_cpu("baseline")), InstructionSet::baseline);
}

TEST(InstructionSet, RefusesOtherWordsAndNamesTheVariableAndWhatIsAllowed) {
  for (const char* word : {"", "avx2", "Baseline", "native "}) {
    try {
      wanted_instruction_set(with_cpu(word));
      FAIL() << "took \"" << word << "\"";
    } catch (const Error& error) {
      EXPECT_EQ(error.what(),
                "CUIMG_CPU: \"" + std::string(word) + "\" is not known: use native or baseline");
    }
  }
}

TEST(InstructionSet, OfTheProcessIsSwitchedInTestsAndDecidesWhichLoopRuns) {
  const InstructionSet before = instruction_set();
  {
    const UsedInstructionSet baseline(InstructionSet::baseline);
    EXPECT_EQ(instruction_set(), InstructionSet::baseline);
    EXPECT_FALSE(uses_avx2());
    EXPECT_FALSE(uses_avx512());
    const UsedInstructionSet native(native_instruction_set());
    EXPECT_EQ(uses_avx2(), native_instruction_set() != InstructionSet::baseline);
    EXPECT_EQ(uses_avx512(), native_instruction_set() == InstructionSet::avx512);
  }
  EXPECT_EQ(instruction_set(), before);
}

TEST(InstructionSet, IsNotUsedByAProcessorThatLacksIt) {
  for (const InstructionSet set : {InstructionSet::avx2, InstructionSet::avx512}) {
    if (set <= native_instruction_set())
      EXPECT_NO_THROW(const UsedInstructionSet used(set));
    else
      EXPECT_THROW(use_instruction_set(set), Error);
  }
}

}  // namespace
}  // namespace cuimg::test

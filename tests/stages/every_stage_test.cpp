// SPDX-License-Identifier: Apache-2.0
// What holds for every stage in the table, whatever it does: any part of an output is the same as
// when it is made whole, with any number of threads and on any processor, and no image is too small
// or too strange.
#include "image/scratch.h"
#include "support/stage_cases.h"
#include "support/used_instruction_set.h"

namespace cuimg::test {
namespace {

constexpr unsigned cases_per_stage = 60;

class EveryStage : public testing::TestWithParam<std::string> {
 protected:
  const StageDescription& stage() const { return *find_stage(GetParam()); }
};

// The values of a stage's first frames may be any; what bands make must be what one piece makes.
TEST_P(EveryStage, MakesTheSameInBandsAndInOnePiece) {
  for_cases(stage(), cases_per_stage, [](const StageCase& c) {
    const Image in_bands = run_plan(c.plan, c.source, {.threads = 2});
    ASSERT_TRUE(same_pixels(run_plan(c.plan, c.source, {.whole = true}), in_bands)) << c.what;
  });
}

// With so little memory that every picture is made in tiles, or lies in files, or both.
TEST_P(EveryStage, MakesTheSameWhereMemoryIsShort) {
  constexpr std::uint64_t least_bytes = 1 << 15, more_bytes = 1 << 20;
  const TempDir folder;
  unsigned number = 0;
  for_cases(stage(), cases_per_stage, [&](const StageCase& c) {
    const Image expected = run_plan(c.plan, c.source, {.whole = true});
    const Scratch scratch(folder.path().string(), ++number % 2 == 0 ? least_bytes : more_bytes);
    ASSERT_TRUE(same_pixels(expected, run_plan(c.plan, c.source, {.threads = 2}))) << c.what;
  });
}

TEST_P(EveryStage, GivesTheSameBytesWithTheBaselinesInstructionsAsWithTheProcessorsBest) {
  if (native_instruction_set() == InstructionSet::baseline)
    GTEST_SKIP() << "this processor has the baseline alone";
  for_cases(stage(), cases_per_stage, [](const StageCase& c) {
    const auto made_with = [&](InstructionSet set) {
      const UsedInstructionSet used(set);
      return run_plan(c.plan, c.source);
    };
    ASSERT_TRUE(
        same_pixels(made_with(InstructionSet::baseline), made_with(native_instruction_set())))
        << c.what;
  });
}

INSTANTIATE_TEST_SUITE_P(Stages, EveryStage, testing::ValuesIn(pixel_stages()), test_name);

TEST(Stages, AreDescribedInFull) {
  for (const StageDescription* stage : stages()) {
    EXPECT_FALSE(stage->summary.empty()) << stage->name;
    EXPECT_FALSE(stage->examples.empty()) << stage->name << " has no example";
    EXPECT_EQ(stage->kind == Kind::sink, static_cast<bool>(stage->report)) << stage->name;
    EXPECT_EQ(stage->kind != Kind::sink, static_cast<bool>(stage->prepare)) << stage->name;
    for (const std::string& example : stage->examples)
      EXPECT_EQ(example.rfind("cuimg " + stage->name, 0), 0u) << example;
  }
}

}  // namespace
}  // namespace cuimg::test

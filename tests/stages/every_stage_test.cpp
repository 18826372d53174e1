// SPDX-License-Identifier: Apache-2.0
// Rules for every stage in the table: any part of an output is the same as when it is made whole,
// with any number of threads and on any processor, and no image is too small or too unusual.
#include <map>
#include <set>

#include "base/error.h"
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

// Random values for a stage: bands must give the same result as one piece.
TEST_P(EveryStage, MakesTheSameInBandsAndInOnePiece) {
  for_cases(stage(), cases_per_stage, [](const StageCase& c) {
    const Image in_bands = run_plan(c.plan, c.source, {.threads = 2});
    ASSERT_TRUE(same_pixels(run_plan(c.plan, c.source, {.whole = true}), in_bands)) << c.what;
  });
}

// With so little memory that every picture is made in tiles, is stored in files, or both.
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

TEST_P(EveryStage, GivesTheSameBytesWithTheBaselinesInstructionsAsWithAllOthers) {
  if (native_instruction_set() == InstructionSet::baseline)
    GTEST_SKIP() << "this processor has the baseline alone";
  for_cases(stage(), cases_per_stage, [](const StageCase& c) {
    const auto made_with = [&](InstructionSet set) {
      const UsedInstructionSet used(set);
      return run_plan(c.plan, c.source);
    };
    const Image expected = made_with(InstructionSet::baseline);
    for (const InstructionSet set : usable_instruction_sets())
      ASSERT_TRUE(same_pixels(expected, made_with(set))) << name_of(set) << ": " << c.what;
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

// perspective shows the border also behind the horizon, and lenses show it where the model folds.
TEST(Stages, RefuseABorderColorThatIsNotSeen) {
  const std::set<std::string> always_seen = {"perspective", "undistort", "distort"};
  const std::map<std::string, std::vector<std::string>> wanted = {
      {"affine", {"matrix", "1,0,0,1,0,0"}},
      {"perspective", {"matrix", "1,0,0,0,1,0,0,0,1"}},
      {"remap", {"map", "map.exr"}}};
  for (const StageDescription* stage : stages()) {
    if (stage->find("border-color") == nullptr) continue;
    const std::shared_ptr<void> values = stage->make();
    const auto set = [&](const std::string& option, const std::string& text) {
      stage->find(option)->set(values.get(), text, stage->name);
    };
    if (const auto found = wanted.find(stage->name); found != wanted.end())
      set(found->second[0], found->second[1]);
    set("border-color", "1");
    const auto problem = [&](const std::string& border) -> std::string {
      set("border", border);
      try {
        if (stage->check) stage->check(values.get());
        return "none";
      } catch (const Error& error) {
        return error.what();
      }
    };
    const std::string refused = stage->name +
                                ": --border-color is only used by --border border: give that too, "
                                "or leave out --border-color";
    EXPECT_EQ(problem("border"), "none");
    for (const std::string border : {"clamp", "wrap", "mirror"})
      EXPECT_EQ(problem(border), always_seen.contains(stage->name) ? "none" : refused);
  }
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// What holds for every stage in the table, whatever it does: any part of an output is the same as
// when it is made whole, with any number of threads, and no image is too small or too strange.
#include "support/random_stage.h"

namespace cuimg::test {
namespace {

constexpr int cases_per_stage = 60;

// The values of a stage's first frames may be any; what bands make must be what one piece makes.
TEST(EveryStage, MakesTheSameInBandsAndInOnePiece) {
  const TempDir folder;
  for (const StageDescription* stage : stages()) {
    if (stage->kind != Kind::filter && stage->kind != Kind::source) continue;
    int done = 0;
    for (unsigned number = 0; number < cases_per_stage; ++number) {
      Draw draw(number * 7919 + 29);
      const Image source = random_picture(draw);
      const Chain chain{{random_stage(*stage, draw, folder, source.spec().display_window)},
                        draw.one_in(2)};
      const std::string what = chain.stages.front().words() + (chain.raw ? " --raw" : "") + " of " +
                               describe_pixels(source.spec()) + ", case " + std::to_string(number);
      const bool is_source = stage->kind == Kind::source;
      std::optional<Plan> plan;
      try {
        plan = plan_of(chain, is_source ? Spec{} : source.spec());
      } catch (const Error&) {
        continue;  // values that exclude each other, or that leave nothing of the picture
      }
      const Image in_bands = run_plan(*plan, source, {.threads = 2});
      ASSERT_TRUE(same_pixels(run_plan(*plan, source, {.whole = true}), in_bands)) << what;
      ++done;
    }
    EXPECT_GT(done, cases_per_stage / 2) << stage->name;
  }
}

TEST(EveryStage, IsDescribedInFull) {
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

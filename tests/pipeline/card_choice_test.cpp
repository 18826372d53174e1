// SPDX-License-Identifier: Apache-2.0
// When --device auto takes a card: for all images of a command together.
#include "pipeline/run/card_choice.h"

#include <gtest/gtest.h>

#include "stages/registry.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

// Of one image that takes the CPU some tens of milliseconds.
Plan plan() {
  Spec input;
  input.data_window = input.display_window = {0, 0, 1000, 1000};
  input.layers = {{"", {"R", "G", "B"}, PixelType::f32}};
  const StageDescription& blur = *find_stage("blur");
  return make_plan(input, {{&blur, blur.make()}}, nullptr, std::nullopt, {0, 0, 0}, {});
}

TEST(CardChoice, PaysForAContextOnceForAllImages) {
  EXPECT_FALSE(CardChoice(1, 1).is_worth(plan()));
  EXPECT_TRUE(CardChoice(1000, 1).is_worth(plan()));
  EXPECT_FALSE(CardChoice(1000, 100000).is_worth(plan()));
  CardChoice choice(1000, 1);
  choice.begin_image();
  Plan one = plan();
  one.takes_card = choice.is_worth(one);
  EXPECT_NE(choice.reason(one).find("a card: for 1000 such images"), std::string::npos);
}

TEST(CardChoice, CountsTheImagesThatAreLeft) {
  CardChoice choice(1000, 1);
  EXPECT_TRUE(choice.is_worth(plan()));
  for (int i = 0; i < 1000; ++i) choice.begin_image();
  EXPECT_FALSE(choice.is_worth(plan()));
}

TEST(CardChoice, TakesACardThatIsThereToTheLastImage) {
  CardChoice choice(1000, 1);
  choice.begin_card();
  for (int i = 0; i < 1000; ++i) choice.begin_image();
  EXPECT_TRUE(choice.is_worth(plan()));
  choice.learn(plan(), 1e-9);
  EXPECT_FALSE(choice.is_worth(plan())) << "copies take longer than the CPU";
}

TEST(CardChoice, LeavesAFewQuickImagesToTheCpuUntilTheCardIsThere) {
  const Plan one = plan();
  CardChoice choice(1000, 8);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(choice.begins_on_cpu(one)) << i;
  EXPECT_FALSE(choice.begins_on_cpu(one));
  EXPECT_TRUE(CardChoice(1000, 1).begins_on_cpu(one));
  EXPECT_FALSE(CardChoice(1, 8).begins_on_cpu(one));
  CardChoice slow(1000, 8);
  slow.learn(one, 1e5);
  EXPECT_FALSE(slow.begins_on_cpu(one)) << "done later than a context";
}

TEST(CardChoice, BelievesWhatTheCpuTookRatherThanItsEstimate) {
  CardChoice slow(20, 4), fast(1000, 1);
  const Plan one = plan();
  const bool estimated = slow.is_worth(one);
  slow.learn(one, 1000 * one.cost_ns() / 1e6);
  EXPECT_FALSE(estimated);
  EXPECT_TRUE(slow.is_worth(one));
  fast.learn(one, 1e-4 * one.cost_ns() / 1e6);
  EXPECT_FALSE(fast.is_worth(one));
}

TEST(CardChoice, TakesNoCardThatWasLostNorOneForNothing) {
  CardChoice choice(1000, 1);
  choice.work();
  EXPECT_TRUE(choice.lose_card());
  EXPECT_FALSE(choice.lose_card());
  EXPECT_FALSE(choice.is_worth(plan()));
  EXPECT_FALSE(CardChoice(1000, 1).is_worth(Plan{}));
}

}  // namespace
}  // namespace cuimg::test

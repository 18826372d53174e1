// SPDX-License-Identifier: Apache-2.0
// When --device auto uses a card: decided for all images of a command together.
#include "pipeline/run/card_choice.h"

#include <gtest/gtest.h>

#include "stages/registry.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

// A plan for one image, which takes the CPU some tens of milliseconds at this size.
Plan plan(int size = 1000) {
  Spec input;
  input.data_window = input.display_window = {0, 0, size, size};
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

// A folder of thumbnails takes less time than the creation of a context.
TEST(CardChoice, NeedsMoreThanAnEstimateIfTheFirstImagesShowTheTime) {
  const Plan one = plan();
  const double milliseconds = one.cost_ns() / 1e6;
  const auto images = static_cast<std::size_t>(3 * milliseconds_worth_a_card() / milliseconds);
  CardChoice choice(images, 1);
  EXPECT_FALSE(choice.is_worth(one));
  EXPECT_NE(choice.reason(one).find("by estimate alone"), std::string::npos);
  choice.learn(one, milliseconds);
  EXPECT_TRUE(choice.is_worth(one));
  EXPECT_EQ(choice.reason(one).find("by estimate alone"), std::string::npos);
  CardChoice quicker(images, 1);
  quicker.learn(one, milliseconds / 3);
  EXPECT_FALSE(quicker.is_worth(one));
}

TEST(CardChoice, PaysForItsCallsHoweverSmallTheImage) {
  CardChoice choice(1000000, 1);
  const Plan one = plan(16);
  choice.learn(one, 0.05);
  choice.begin_card();
  EXPECT_FALSE(choice.is_worth(one));
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

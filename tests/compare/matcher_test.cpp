// SPDX-License-Identifier: Apache-2.0
#include "compare/gtest_matcher.h"

#include "pictures.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

TEST(Matcher, HoldsWithinLimitsAndNamesWhatBreaksThem) {
  const Image golden = pattern(20, 12, 0, false), image = pattern(20, 12, 0, true);
  EXPECT_IMAGE_NEAR(golden, golden, {});
  Limits limits;
  limits.fail = 0.02f;
  EXPECT_IMAGE_NEAR(golden, image, limits);
  limits.fail = 0.01f;
  const testing::AssertionResult failure = image_near(golden, image, limits);
  EXPECT_FALSE(failure);
  EXPECT_NE(std::string(failure.message()).find("pixels break a limit"), std::string::npos);
}

TEST(Matcher, ReadsAGoldenFile) {
  const TempDir folder;
  const Image golden = pattern(20, 12, 0, false);
  write_image(folder / "golden.png", golden, *codec_named("png"));
  EXPECT_IMAGE_NEAR(folder / "golden.png", golden, {});
  EXPECT_FALSE(image_near(folder / "golden.png", pattern(20, 12, 0, true)));
  EXPECT_FALSE(image_near(folder / "absent.png", golden));
}

}  // namespace
}  // namespace cuimg::test

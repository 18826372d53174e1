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

TEST(Matcher, FailsForWhatCannotBeComparedAndTakesOptions) {
  const Image golden = pattern(20, 12, 0, false), image = pattern(20, 12, 0, true);
  EXPECT_FALSE(image_near(golden, Image::without_memory(golden.spec())));
  Limits limits;
  limits.mask = "nosuch.png";
  const testing::AssertionResult unread = image_near(golden, golden, limits);
  EXPECT_FALSE(unread);
  EXPECT_NE(std::string(unread.message()).find("give CompareOptions::mask"), std::string::npos);
  const Image nothing = flat(spec_of(golden.spec().data_window, PixelType::u8, 1), 0);
  CompareOptions options;
  options.mask = &golden;
  EXPECT_TRUE(image_near(golden, golden, {}, options));
  options.mask = &nothing;
  EXPECT_FALSE(image_near(golden, image, {}, options));
}

TEST(Matcher, TakesOnePartOfAGoldenFileAndTheLayersThatAreNamed) {
  const TempDir folder;
  const Image first = pattern(20, 12, 0, false), second = pattern(20, 12, 0, true);
  std::vector<Image> parts;
  for (const Image* part : {&first, &second}) parts.push_back(copy_of(*part));
  write_parts(folder / "golden.tif", parts, *codec_named("tif"));
  Limits limits;
  EXPECT_IMAGE_NEAR(folder / "golden.tif", first, limits);
  limits.part = "1";
  EXPECT_IMAGE_NEAR(folder / "golden.tif", second, limits);
  EXPECT_FALSE(image_near(folder / "golden.tif", first, limits));
  limits.layers = {"Z"};
  EXPECT_FALSE(image_near(folder / "golden.tif", second, limits));
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// Exposure and gain: exact factors on light, alpha unchanged, and per-pixel stages in one pass.
#include "base/error.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

TEST(Exposure, MultipliesLightByAPowerOfTwo) {
  const Image source = noise(spec_of({0, 0, 9, 5}, PixelType::f32, 4));
  const Image result = run_chain("exposure --stops 3", source);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 9; ++x) {
      for (int c = 0; c < 3; ++c)
        EXPECT_EQ(value_at(result, x, y, c), 8 * value_at(source, x, y, c));
      EXPECT_EQ(value_at(result, x, y, 3), value_at(source, x, y, 3));
    }
}

TEST(Exposure, WorksInLinearLightOnEncodedPictures) {
  // sRGB 128 is 0.21586 of light; twice that is sRGB 176.
  const Image source = flat(spec_of({0, 0, 3, 3}, PixelType::u8, 3), 128 / 255.0f);
  const Image result = run_chain("exposure --stops 1", source, {.format = "png"});
  EXPECT_EQ(std::to_integer<int>(result.row(0, 0)[0]), 176);
}

TEST(Gain, TakesOneValueForAllOrOneEach) {
  const Image source = flat(spec_of({0, 0, 2, 2}, PixelType::f32, 4), 0.5f);
  const auto pixel = [&](const std::string& words) {
    const Image made = run_chain(words, source);
    return std::vector<float>{value_at(made, 1, 1, 0), value_at(made, 1, 1, 1),
                              value_at(made, 1, 1, 2), value_at(made, 1, 1, 3)};
  };
  EXPECT_EQ(pixel("gain --value 2"), (std::vector<float>{1, 1, 1, 0.5f}));
  EXPECT_EQ(pixel("gain --value 2,1,4"), (std::vector<float>{1, 0.5f, 2, 0.5f}));
  EXPECT_EQ(pixel("gain --value 2,1,4,0"), (std::vector<float>{1, 0.5f, 2, 0}));
  EXPECT_THROW(run_chain("gain --value 2,1", source), Error);
  EXPECT_THROW(run_chain("gain --value 2,1,1", flat(spec_of({0, 0, 2, 2}, PixelType::f32, 1), 1)),
               Error);
}

TEST(PixelPass, ColourStagesInARowAreOneStep) {
  const Image source = noise(spec_of({0, 0, 40, 70}, PixelType::u8, 4));
  const std::string words = "exposure --stops 1 + gain --value 0.3 + exposure --stops -0.5";
  const Plan plan = plan_of(parse_chain(words), source.spec(), {.format = "png"});
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps.front().name, "exposure + gain + exposure");
}

TEST(PixelPass, FusedIsWhatTheStepsGiveOneByOne) {
  Spec spec = spec_of({-3, 2, 37, 41}, PixelType::half, 4);
  spec.display_window = {0, 0, 50, 30};
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  spec.layers.push_back({"diffuse", {"R", "G", "B"}, PixelType::half});
  const Image source = noise(spec);
  const Image together = run_chain("exposure --stops 1.3 + gain --value 0.7", source);
  const Image first = run_chain("exposure --stops 1.3", source);
  EXPECT_TRUE(same_pixels(run_chain("gain --value 0.7", first), together));
}

TEST(PixelPass, ALongChainIsStillRight) {
  const Image source = noise(spec_of({0, 0, 20, 20}, PixelType::f32, 3));
  std::string words = "gain --value 2";
  for (int i = 1; i < 40; ++i) words += " + gain --value 2";
  const Image made = run_chain(words, source);
  EXPECT_EQ(value_at(made, 7, 7, 1), 0x1p40f * value_at(source, 7, 7, 1));
  EXPECT_GT(plan_of(parse_chain(words), source.spec()).steps.size(), 1u);
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// Premult and unpremult: in linear light, alpha 0 unchanged, each reversing the other.
#include "support/images.h"

namespace cuimg::test {
namespace {

Image pixel_image(PixelType type, const std::vector<float>& values) {
  const Spec spec = spec_of({0, 0, 2, 2}, type, static_cast<int>(values.size()));
  return image_of(spec, [&](int, int, int, int c) { return values[static_cast<std::size_t>(c)]; });
}

std::vector<float> pixel(const std::string& words, const std::vector<float>& values) {
  const Image made = run_chain(words, pixel_image(PixelType::f32, values));
  std::vector<float> result;
  for (int c = 0; c < made.spec().layers[0].channel_count(); ++c)
    result.push_back(value_at(made, 1, 1, c));
  return result;
}

TEST(Premult, MultipliesWhatAnExrHolds) {
  EXPECT_EQ(pixel("premult", {1, 0.5f, 2, 0.25f}),
            (std::vector<float>{0.25f, 0.125f, 0.5f, 0.25f}));
  EXPECT_EQ(pixel("premult", {0.5f, 0.5f}), (std::vector<float>{0.25f, 0.5f}));
  EXPECT_EQ(pixel("premult", {0.5f, 0.5f, 0.5f}), (std::vector<float>{0.5f, 0.5f, 0.5f}));
}

TEST(Unpremult, DividesAndLeavesWhatNothingCovers) {
  EXPECT_EQ(pixel("unpremult", {0.25f, 0.125f, 0.5f, 0.25f}),
            (std::vector<float>{1, 0.5f, 2, 0.25f}));
  EXPECT_EQ(pixel("unpremult", {3, 2, 1, 0}), (std::vector<float>{3, 2, 1, 0}));
  EXPECT_EQ(pixel("unpremult + premult", {3, 2, 1, 0.5f}), (std::vector<float>{3, 2, 1, 0.5f}));
}

TEST(Premult, OfAPngIsDoneInLightNotOnCodes) {
  // Code 188 is 0.5029 of light, and 128 / 255 of that is code 138. With codes the result would be
  // 94.
  const Image source = pixel_image(PixelType::u8, {188 / 255.0f, 0, 1, 128 / 255.0f});
  const Image made = run_chain("premult", source, {.format = "png"});
  EXPECT_EQ(std::to_integer<int>(made.row(0, 0)[0]), 138);
  EXPECT_EQ(std::to_integer<int>(made.row(0, 0)[3]), 128);
}

TEST(Premult, OfRawValuesIsDoneOnThem) {
  const Image source = pixel_image(PixelType::u8, {200 / 255.0f, 0, 1, 51 / 255.0f});
  const Image made = run_chain("premult --raw", source, {.format = "png"});
  EXPECT_EQ(std::to_integer<int>(made.row(0, 0)[0]), 40);
}

TEST(Clamp, SaysWhatALimitIsUnlessGiven) {
  const Image image = pixel_image(PixelType::f32, {1, 0.5f, 2, 0.25f});
  EXPECT_EQ(problem("clamp --min 2", image),
            "clamp: --min 2 is above --max 1: give a larger --max, which is 1 by default");
  EXPECT_EQ(problem("clamp --max -1", image),
            "clamp: --min 0 is above --max -1: give a smaller --min, which is 0 by default");
  EXPECT_EQ(problem("clamp --min 3 --max 2", image),
            "clamp: --min 3 is above --max 2: exchange them");
}

}  // namespace
}  // namespace cuimg::test

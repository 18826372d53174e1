// SPDX-License-Identifier: Apache-2.0
// Light where alpha is 0, as in flames and glows: stages that divide by alpha keep and process it,
// and add nothing to pixels that are transparent and black.
#include <cmath>

#include "support/images.h"

namespace cuimg::test {
namespace {

// The result of the chain in an EXR.
std::vector<float> pixel(const std::string& words, const std::vector<float>& values) {
  const Spec spec = spec_of({0, 0, 2, 2}, PixelType::f32, static_cast<int>(values.size()));
  const Image image =
      image_of(spec, [&](int, int, int, int c) { return values[static_cast<std::size_t>(c)]; });
  const Image made = run_chain(words, image, {.format = "exr"});
  std::vector<float> result;
  for (int c = 0; c < made.spec().layers[0].channel_count(); ++c)
    result.push_back(value_at(made, 1, 1, c));
  return result;
}

TEST(UncoveredLight, GoesThroughCurves) {
  const std::vector<float> made = pixel("gamma --value 2", {1, 4, 9, 0});
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(made[c], c + 1.0, 1e-6);
  EXPECT_EQ(made[3], 0.0f);
  EXPECT_EQ(pixel("levels --white 2", {1, 2, 3, 0}), (std::vector<float>{0.5f, 1, 1.5f, 0}));
  const std::vector<float> there_and_back =
      pixel("encode --curve srgb + decode --curve srgb", {1, 2, 3, 0});
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(there_and_back[c], c + 1.0, 1e-5);
  // As from `oiiotool --colorconvert:unpremult=1 linear sRGB`.
  EXPECT_NEAR(pixel("encode --curve srgb", {1, 2, 3, 0})[1], 1.353256, 1e-5);
  EXPECT_EQ(pixel("contrast --amount 1", {0.5f, 0}), (std::vector<float>{0.5f, 0}));
}

TEST(UncoveredLight, IsNotMadeOfNothing) {
  const std::vector<float> nothing = {0, 0, 0, 0};
  for (const char* words :
       {"invert", "levels --out-black 0.1", "encode --curve logc3", "contrast --amount 0.5",
        "colormap", "invert + gamma --value 2", "invert + resize --size 3x3 + invert"}) {
    const std::vector<float> made = pixel(words, nothing);
    for (const float v : made) {
      EXPECT_EQ(v, 0.0f) << words;
      EXPECT_FALSE(std::signbit(v)) << words;
    }
  }
}

// Colours of a PNG with alpha 0 are not light, because they were straight.
TEST(UncoveredLight, IsNotWhatStraightFilesHoldThere) {
  Spec spec = spec_of({0, 0, 2, 2}, PixelType::u8, 4);
  spec.color = {Curve::srgb, 1.0f, false, {}};
  const Image image = image_of(spec, [&](int, int, int, int c) { return c == 3 ? 0 : 1; });
  const Image made = run_chain("gamma --value 2", image, {.format = "exr"});
  for (int c = 0; c < 4; ++c) EXPECT_EQ(value_at<Half>(made, 1, 1, c).bits, 0u);
}

}  // namespace
}  // namespace cuimg::test

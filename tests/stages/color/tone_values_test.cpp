// SPDX-License-Identifier: Apache-2.0
// Gamma, levels, contrast, invert and clamp: compared with their formulas, on the values that users
// expect.
#include <cmath>
#include <limits>

#include "base/error.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

// The result of a chain for one pixel of linear float.
std::vector<float> pixel(const std::string& words, const std::vector<float>& values) {
  const Spec spec = spec_of({0, 0, 3, 2}, PixelType::f32, static_cast<int>(values.size()));
  const Image made = run_chain(
      words,
      image_of(spec, [&](int, int, int, int c) { return values[static_cast<std::size_t>(c)]; }),
      {.format = "exr"});
  std::vector<float> result;
  for (int c = 0; c < made.spec().layers[0].channel_count(); ++c)
    result.push_back(value_at(made, 2, 1, c));
  return result;
}

// The result of a chain for a PNG with one grey code.
int code(const std::string& words, int value) {
  const Image source =
      flat(spec_of({0, 0, 3, 3}, PixelType::u8, 3), static_cast<float>(value) / 255);
  return std::to_integer<int>(run_chain(words, source, {.format = "png"}).row(0, 0)[0]);
}

void expect_close(const std::vector<float>& found, const std::vector<double>& expected,
                  double relative = 1e-6) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], relative * std::max(1e-3, std::fabs(expected[i]))) << i;
}

TEST(Gamma, IsThePowerOfOneOverTheValue) {
  for (const double gamma : {0.45, 1.8, 2.2, 7.0})
    for (const float x : {1e-6f, 0.01f, 0.18f, 0.5f, 1.0f, 3.7f, 60000.0f})
      expect_close(pixel("gamma --value " + std::to_string(gamma), {x}),
                   {std::pow(static_cast<double>(x), 1 / gamma)});
}

TEST(Gamma, TakesOneValueEachAndLeavesAlpha) {
  expect_close(pixel("gamma --value 2,1,0.5", {0.25f, 0.25f, 0.25f, 1}), {0.5, 0.25, 0.0625, 1});
  expect_close(pixel("gamma --value 2,2,2,0.5", {0.25f, 0.25f, 0.25f, 1}), {0.5, 0.5, 0.5, 1});
  EXPECT_THROW(pixel("gamma --value 2,1", {1, 1, 1}), Error);
}

TEST(Gamma, IsOfStraightColours) {
  // Half covered: 0.125 at alpha 0.5 is a straight 0.25, whose root is 0.5.
  expect_close(pixel("gamma --value 2", {0.125f, 0.125f, 0.125f, 0.5f}), {0.25, 0.25, 0.25, 0.5});
}

TEST(Gamma, MirrorsNegativesAndKeepsWhatIsNotFinite) {
  const std::vector<float> made = pixel("gamma --value 2", {-4, inf, -inf});
  EXPECT_EQ(made, (std::vector<float>{-2, inf, -inf}));
  EXPECT_EQ(std::bit_cast<std::uint32_t>(pixel("gamma --value 2", {NAN})[0]), 0x7fc00000u);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(pixel("gamma --value 3", {-0.0f})[0]), 0x80000000u);
}

TEST(Gamma, OfAPngIsOfItsCodesAsInImageMagick) {
  // convert -gamma 2 on code 64: 255 * sqrt(64 / 255) = 127.75
  EXPECT_EQ(code("gamma --value 2", 64), 128);
  EXPECT_EQ(code("gamma --value 0.5", 128), 64);
}

TEST(Threshold, IsHighFromTheLevelOnAndLowBelow) {
  EXPECT_EQ(pixel("threshold --level 0.5", {0.5f, 0.49999997f, 3}), (std::vector<float>{1, 0, 1}));
  EXPECT_EQ(pixel("threshold", {0.5f, -inf, inf}), (std::vector<float>{1, 0, 1}));
  EXPECT_EQ(pixel("threshold --level 2 --low 0.25 --high 7", {1, 2, 3}),
            (std::vector<float>{0.25f, 7, 7}));
  EXPECT_TRUE(std::isnan(pixel("threshold --low 5", {NAN})[0]));
  // For any two values, of any size, however close.
  EXPECT_EQ(pixel("threshold --level 1e-45 --low 3e38 --high -3e38", {1e-45f, 0, inf}),
            (std::vector<float>{-3e38f, 3e38f, -3e38f}));
  EXPECT_EQ(pixel("threshold --level 3e38 --low -3e38 --high 3e38", {2.9e38f, 3e38f, -inf}),
            (std::vector<float>{-3e38f, 3e38f, -3e38f}));
  EXPECT_EQ(pixel("threshold --level 0", {-0.0f})[0], 1);
}

TEST(Threshold, TakesOneValueEachAndLeavesAlpha) {
  EXPECT_EQ(pixel("threshold --level 0.1,0.2,0.3", {0.2f, 0.2f, 0.2f, 1}),
            (std::vector<float>{1, 1, 0, 1}));
  EXPECT_EQ(pixel("threshold --raw --level 0.1,0.2,0.3,0.5", {0.2f, 0.2f, 0.2f, 0.4f}),
            (std::vector<float>{1, 1, 0, 0}));
  EXPECT_EQ(pixel("threshold --raw --high 2,2,2,0.75", {1, 0, 1, 0.6f}),
            (std::vector<float>{2, 0, 2, 0.75f}));
  EXPECT_THROW(pixel("threshold --level 0.1,0.2", {1, 1, 1}), Error);
}

TEST(Threshold, IsOfStraightColours) {
  // Half covered: 0.3 at alpha 0.5 is a straight 0.6, and 1 becomes 0.5.
  EXPECT_EQ(pixel("threshold", {0.3f, 0.2f, 0.25f, 0.5f}),
            (std::vector<float>{0.5f, 0, 0.5f, 0.5f}));
}

TEST(Threshold, OfAPngIsOfItsCodes) {
  EXPECT_EQ(code("threshold --level 0.5", 128), 255);
  EXPECT_EQ(code("threshold --level 0.5", 127), 0);
  EXPECT_EQ(code("blur --sigma 2 + threshold --level 0.5 --low 0.2", 100), 51);
}

TEST(Levels, StretchesEndsExactly) {
  expect_close(pixel("levels --black 0.1 --white 0.7", {0.1f, 0.4f, 0.7f}), {0, 0.5, 1});
  EXPECT_EQ(pixel("levels --black 0.1 --white 0.7", {0.1f, 0.4f, 0.7f})[0], 0.0f);
  EXPECT_EQ(pixel("levels --black 0.1 --white 0.7", {0.1f, 0.4f, 0.7f})[2], 1.0f);
  EXPECT_EQ(pixel("levels --black 0.3 --white 0.7 --out-black 0.2 --out-white 0.9",
                  {0.3f, 0.7f, 0.5f})[0],
            0.2f);
  EXPECT_EQ(pixel("levels --black 0.3 --white 0.7 --out-black 0.2 --out-white 0.9",
                  {0.3f, 0.7f, 0.5f})[1],
            0.9f);
}

TEST(Levels, StretchesRangesOfAnyWidth) {
  EXPECT_EQ(pixel("levels --black 0 --white 2.938735877e-39", {0, 0x1p-130f, 0x1p-128f}),
            (std::vector<float>{0, 0.25f, 1}));
  EXPECT_EQ(pixel("levels --black -3e38 --white 3e38", {-3e38f, 0, 3e38f}),
            (std::vector<float>{0, 0.5f, 1}));
  EXPECT_EQ(pixel("levels --out-black -3e38 --out-white 3e38", {0, 0.5f, 1}),
            (std::vector<float>{-3e38f, 0, 3e38f}));
  EXPECT_EQ(pixel("levels --black 0 --white 2.938735877e-39,1,3e38", {0x1p-130f, 0.25f, 1.5e38f}),
            (std::vector<float>{0.25f, 0.25f, 0.5f}));
  EXPECT_EQ(pixel("levels --out-black 0.5 --out-white 0.5", {0, 0.5f, 1}),
            (std::vector<float>{0.5f, 0.5f, 0.5f}));
}

TEST(Levels, AppliesItsGammaBetweenTheEnds) {
  expect_close(pixel("levels --black 0.2 --white 0.6 --gamma 2 --out-black 1 --out-white 3",
                     {0.3f, 0.6f, 1.8f}),
               {1 + 2 * 0.5, 3, 1 + 2 * 2.0}, 2e-6);
}

TEST(Levels, CutsNothingOff) {
  expect_close(pixel("levels --black 0.5", {0, 1, 2}), {-1, 1, 3});
  EXPECT_EQ(pixel("levels --black 0.3 --white 0.8 --out-white 0.7", {inf, -inf, 0}),
            (std::vector<float>{inf, -inf,
                                pixel("levels --black 0.3 --white 0.8 --out-white 0.7", {0})[0]}));
}

TEST(Levels, OneEachAndOfStraightColours) {
  expect_close(pixel("levels --black 0,0.25,0.5", {0.5f, 0.5f, 0.5f}), {0.5, 1 / 3.0, 0});
  // Straight 0.5 becomes 0; premultiplied black is 0 for any alpha.
  expect_close(pixel("levels --black 0.5", {0.25f, 0.5f, 0.25f, 0.5f}), {0, 0.5, 0, 0.5});
}

TEST(Levels, OfAPngAreOfItsCodes) {
  EXPECT_EQ(code("levels --black 0.2 --white 0.8", 51), 0);
  EXPECT_EQ(code("levels --black 0.2 --white 0.8", 204), 255);
  EXPECT_EQ(code("levels --out-black 0.2 --out-white 0.8", 255), 204);
}

TEST(Levels, EqualEndsAreRefused) {
  EXPECT_THROW(pixel("levels --black 0.5 --white 0.5", {1, 1, 1}), Error);
  EXPECT_THROW(pixel("levels --black 0,0,1", {1, 1, 1}), Error);
}

TEST(Contrast, TurnsAboutThePivot) {
  expect_close(pixel("contrast --amount 2 --pivot 0.5", {0.25f, 0.5f, 0.75f}), {0, 0.5, 1});
  expect_close(pixel("contrast --amount 2", {0.18f, 0.36f, 0.09f}), {0.18, 0.54, 0});
  EXPECT_EQ(code("contrast --amount 2", 64), 1);
  EXPECT_EQ(code("contrast --amount 0", 64), 128);
  expect_close(pixel("contrast --amount 0,1,2 --pivot 1", {3, 3, 3}), {1, 3, 5});
  EXPECT_EQ(pixel("contrast --amount 1.7", {inf, -inf, 0.18f}),
            (std::vector<float>{inf, -inf, 0.18f}));
}

TEST(Invert, IsOneLessTheValue) {
  EXPECT_EQ(pixel("invert", {0, 1, 0.25f}), (std::vector<float>{1, 0, 0.75f}));
  for (const int value : {0, 1, 100, 254, 255}) EXPECT_EQ(code("invert", value), 255 - value);
}

TEST(Contrast, OfOneLeavesEveryBit) {
  for (const int channels : {1, 2, 3, 4})
    for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32})
      for (const char* words : {"contrast --amount 1", "contrast --amount 1 --pivot 0.3",
                                "contrast --amount 1 --raw"}) {
        Image source = noise(spec_of({-2, 3, 19, 11}, type, channels));
        if (is_floating(type))  // NaN of several kinds, infinities, denormals
          for (int y = 3; y < 14; ++y)
            for (std::size_t i = 0; i < source.row_bytes(0); ++i)
              source.row(0, y)[i] = static_cast<std::byte>((i * 37 + i / 3 * 101 + 11) ^ 0xfe);
        EXPECT_TRUE(same_pixels(run_chain(words, source), source)) << words;
      }
}

TEST(Contrast, OfOneForAChannelLeavesThatChannel) {
  const std::vector<float> values = {0.3f, 0.7f, -0.1f};
  const std::vector<float> made = pixel("contrast --amount 1,2,1 --pivot 0.18", values);
  EXPECT_EQ(made[0], values[0]);
  EXPECT_NE(made[1], values[1]);
  EXPECT_EQ(made[2], values[2]);
  EXPECT_THROW(pixel("contrast --amount 1,1", {1, 1, 1}), Error);
}

TEST(Invert, LeavesTheTransparentTransparent) {
  // Straight colours are inverted: half covered white becomes half covered black.
  EXPECT_EQ(pixel("invert", {0.5f, 0, 0.25f, 0.5f}), (std::vector<float>{0, 0.5f, 0.25f, 0.5f}));
  const Image grey = flat(spec_of({0, 0, 2, 2}, PixelType::u8, 2), 0.2f);
  const Image made = run_chain("invert", grey, {.format = "png"});
  EXPECT_EQ(std::to_integer<int>(made.row(0, 0)[0]), 204);
  EXPECT_EQ(std::to_integer<int>(made.row(0, 0)[1]), 51);
}

TEST(Clamp, KeepsColoursWithinLimits) {
  EXPECT_EQ(pixel("clamp", {-1, 0.5f, 7}), (std::vector<float>{0, 0.5f, 1}));
  EXPECT_EQ(pixel("clamp --max 4,5,6", {9, 9, 9, 9}), (std::vector<float>{9, 9, 9, 9}));
  EXPECT_EQ(pixel("clamp --max 4,5,6", {9, 9, 9, 1}), (std::vector<float>{4, 5, 6, 1}));
  EXPECT_EQ(pixel("clamp --max 4,5,6,0.5", {1, 1, 1, 1}), (std::vector<float>{1, 1, 1, 0.5f}));
  EXPECT_EQ(pixel("clamp --min 0.5", {inf, -inf, 0}), (std::vector<float>{1, 0.5f, 0.5f}));
  EXPECT_TRUE(std::isnan(pixel("clamp", {NAN})[0]));
  EXPECT_THROW(pixel("clamp --min 2", {1, 1, 1}), Error);
}

TEST(Clamp, LimitsAreOfStraightColoursAndLeaveTheInsideUntouched) {
  // At alpha 0.5 the maximum is 0.5.
  EXPECT_EQ(pixel("clamp", {0.75f, 0.3f, -1, 0.5f}), (std::vector<float>{0.5f, 0.3f, 0, 0.5f}));
  // A glow with alpha 0 is unchanged.
  EXPECT_EQ(pixel("clamp", {0.75f, 3, 0, 0}), (std::vector<float>{0.75f, 1, 0, 0}));
  // Transparent black is unchanged.
  EXPECT_EQ(pixel("clamp --min 0.1", {0, 0, 0, 0}), (std::vector<float>{0, 0, 0, 0}));
  EXPECT_EQ(pixel("clamp --min -2 --max -1", {0, -3, 0, 0}), (std::vector<float>{0, -2, 0, 0}));
  const Image source = noise(spec_of({0, 0, 50, 40}, PixelType::f32, 4));
  EXPECT_TRUE(same_pixels(run_chain("clamp --max 1e6", source), source));
}

// Otherwise everything would become black without a message.
TEST(Threshold, WarnsOfCodesThatIntegersDoNotReach) {
  const Spec codes = spec_of({0, 0, 3, 2}, PixelType::u16, 1);
  EXPECT_EQ(warnings_of("threshold --level 30000", codes),
            (std::vector<std::string>{"threshold: --level 30000: integers are values of 0 to 1 "
                                      "here: 0.457771, which is 30000 / 65535, may be meant"}));
  EXPECT_EQ(warnings_of("levels --white 4095", codes),
            (std::vector<std::string>{"levels: --white 4095: integers are values of 0 to 1 here: "
                                      "0.0624857, which is 4095 / 65535, may be meant"}));
  const auto of_bytes =
      warnings_of("levels --black 20 --white 200 --raw", spec_of({0, 0, 3, 2}, PixelType::u8, 3));
  ASSERT_EQ(of_bytes.size(), 2u);
  EXPECT_TRUE(has(of_bytes[0], "--black 20") && has(of_bytes[1], "200 / 255"));
  for (const char* words : {"threshold --level 1", "levels --black -1 --white 2",
                            "gain --value 65535 + threshold --level 30000"})
    EXPECT_TRUE(warnings_of(words, codes).empty()) << words;
  EXPECT_TRUE(
      warnings_of("threshold --level 100", spec_of({0, 0, 3, 2}, PixelType::f32, 1)).empty());
}

}  // namespace
}  // namespace cuimg::test

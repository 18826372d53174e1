// SPDX-License-Identifier: Apache-2.0
// Primaries, matrix, saturation and grayscale: compared with published matrices and their formulas.
#include <cmath>
#include <limits>

#include "base/error.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

Image one_color(const std::vector<float>& values) {
  const Spec spec = spec_of({0, 0, 2, 1}, PixelType::f32, static_cast<int>(values.size()));
  return image_of(spec, [&](int, int, int, int c) { return values[static_cast<std::size_t>(c)]; });
}

std::vector<float> pixel(const std::string& words, const std::vector<float>& values) {
  const Image made = run_chain(words, one_color(values));
  std::vector<float> result;
  for (int c = 0; c < made.spec().layers[0].channel_count(); ++c)
    result.push_back(value_at(made, 1, 0, c));
  return result;
}

// The matrix that a stage applies, from its results for the three unit vectors.
void expect_matrix(const std::string& words, const double (&expected)[3][3], double tolerance) {
  for (std::size_t column = 0; column < 3; ++column) {
    std::vector<float> unit(3, 0.0f);
    unit[column] = 1;
    const std::vector<float> made = pixel(words, unit);
    for (std::size_t row = 0; row < 3; ++row)
      EXPECT_NEAR(made[row], expected[row][column], tolerance) << words << " " << row << column;
  }
}

TEST(Primaries, AreThePublishedMatrices) {
  // IEC 61966-2-1 amendment 1, annex F, whose digits are those for D65 = 0.3127, 0.3290.
  expect_matrix("primaries --from rec709 --to xyz --adaptation none",
                {{0.4123907993, 0.3575843394, 0.1804807884},
                 {0.2126390059, 0.7151686788, 0.0721923154},
                 {0.0193308187, 0.1191947798, 0.9505321522}},
                1e-6);
  // SMPTE EG 432-1 with D65 (Display P3): as colour-science and W3C's CSS Color 4 print it.
  expect_matrix("primaries --from p3 --to xyz --adaptation none",
                {{0.4865709486, 0.2656676932, 0.1982172852},
                 {0.2289745641, 0.6917385218, 0.0792869141},
                 {0.0, 0.0451133819, 1.0439443689}},
                1e-6);
  // W3C CSS Color 4, section 18, lin_2020_to_XYZ.
  expect_matrix("primaries --from rec2020 --to xyz --adaptation none",
                {{0.6369580484, 0.1446169036, 0.1688809752},
                 {0.2627002120, 0.6779980715, 0.0593017165},
                 {0.0, 0.0280726930, 1.0609850577}},
                1e-6);
  // ACES S-2008-001 (SMPTE ST 2065-1): AP0 to XYZ.
  expect_matrix("primaries --from ap0 --to xyz --adaptation none",
                {{0.9525523959, 0.0, 0.0000936786},
                 {0.3439664498, 0.7281660966, -0.0721325464},
                 {0.0, 0.0, 1.0088251844}},
                1e-6);
  // ACES S-2014-004: AP1 to XYZ and AP0 to AP1.
  expect_matrix("primaries --from ap1 --to xyz --adaptation none",
                {{0.6624541811, 0.1340042065, 0.1561876870},
                 {0.2722287168, 0.6740817658, 0.0536895174},
                 {-0.0055746495, 0.0040607335, 1.0103391003}},
                1e-6);
  expect_matrix("primaries --from ap0 --to ap1",
                {{1.4514393161, -0.2365107469, -0.2149285693},
                 {-0.0765537734, 1.1762296998, -0.0996759264},
                 {0.0083161484, -0.0060324498, 0.9977163014}},
                1e-6);
}

TEST(Primaries, AdaptWhitesByBradford) {
  // sRGB to ACEScg (AP1) with Bradford from D65 to the ACES white, from OpenColorIO's configuration
  // for ACES 1.2.
  expect_matrix("primaries --from rec709 --to ap1",
                {{0.6130974024, 0.3395231462, 0.0473794514},
                 {0.0701937225, 0.9163538791, 0.0134523985},
                 {0.0206155929, 0.1095697729, 0.8698146342}},
                1e-6);
}

TEST(Primaries, TagTheOutputAndKeepTheColour) {
  const Image source = noise(spec_of({0, 0, 9, 9}, PixelType::f32, 4));
  const Image made = run_chain("primaries --to ap1", source, {.format = "exr"});
  ASSERT_TRUE(made.spec().color.primaries);
  EXPECT_EQ(*made.spec().color.primaries, primaries::aces_ap1);
  // The tag of the input defines the source primaries.
  const Image back = run_chain("primaries --to rec709", made);
  for (int c = 0; c < 4; ++c) EXPECT_NEAR(value_at(back, 3, 4, c), value_at(source, 3, 4, c), 2e-6);
  // --from overrules the tag.
  const Image kept = run_chain("primaries --from rec2020 --to rec2020", made);
  EXPECT_EQ(value_at(kept, 3, 4), value_at(made, 3, 4));
  EXPECT_EQ(*kept.spec().color.primaries, primaries::rec2020);
}

TEST(Primaries, OfAFormatThatCannotSayThemAreRec709s) {
  const Image source = noise(spec_of({0, 0, 9, 9}, PixelType::u8, 3));
  EXPECT_TRUE(same_pixels(run_chain("primaries --to p3", source, {.format = "bmp"}),
                          run_chain("gain --value 1", source, {.format = "bmp"})));
  // Encoded values cannot be converted again.
  EXPECT_FALSE(
      same_pixels(run_chain("primaries --to p3 + encode --curve srgb", source, {.format = "bmp"}),
                  run_chain("gain --value 1", source, {.format = "bmp"})));
}

TEST(Primaries, LeaveGreyAlone) {
  const Image grey = noise(spec_of({0, 0, 5, 5}, PixelType::f32, 1));
  EXPECT_TRUE(same_pixels(run_chain("primaries --to ap0", grey), grey));
}

TEST(Matrix, TakesRowsOfThreeAndFour) {
  EXPECT_EQ(pixel("matrix --values 0,0,1,0,1,0,1,0,0", {1, 2, 3}), (std::vector<float>{3, 2, 1}));
  EXPECT_EQ(pixel("matrix --values 1,0,0,10,0,1,0,20,0,0,1,30", {1, 2, 3}),
            (std::vector<float>{11, 22, 33}));
  EXPECT_EQ(pixel("matrix --values 1,0,0,0.5,0,1,0,0,0,0,1,0,0.25,0.25,0.25,0.25", {1, 1, 2, 0.5f}),
            (std::vector<float>{1.25f, 1, 2, 1.125f}));
  EXPECT_THROW(pixel("matrix --values 1,2,3", {1, 1, 1}), Error);
}

TEST(Matrix, AddsToStraightColours) {
  // Half-covered pixels get half of the value that is added to straight colours.
  EXPECT_EQ(pixel("matrix --values 1,0,0,10,0,1,0,20,0,0,1,30", {1, 2, 3, 0.5f}),
            (std::vector<float>{6, 12, 18, 0.5f}));
}

TEST(Matrix, MakesRgbOfGrey) {
  EXPECT_EQ(pixel("matrix --values 2,0,0,0,3,0,0,0,4", {0.5f, 1}),
            (std::vector<float>{1, 1.5f, 2, 1}));
  EXPECT_EQ(pixel("matrix --values 2,0,0,0,3,0,0,0,4", {0.5f}), (std::vector<float>{1, 1.5f, 2}));
}

TEST(Saturation, MovesColoursFromTheirLuminance) {
  const double y = 0.2126390059 * 0.2 + 0.7151686788 * 0.5 + 0.0721923154 * 0.9;
  const std::vector<float> made = pixel("saturation --amount 1.5", {0.2f, 0.5f, 0.9f});
  const double colors[] = {0.2, 0.5, 0.9};
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(made[c], y + 1.5 * (colors[c] - y), 1e-6);
  const std::vector<float> grey = pixel("saturation --amount 0", {0.2f, 0.5f, 0.9f, 1});
  EXPECT_EQ(grey[0], grey[1]);
  EXPECT_EQ(grey[1], grey[2]);
  EXPECT_EQ(grey[3], 1.0f);
}

TEST(Saturation, TakesOneAmountForEachColour) {
  const std::vector<float> each = pixel("saturation --amount 1.5,1,0", {0.2f, 0.5f, 0.9f, 1});
  EXPECT_EQ(each[0], pixel("saturation --amount 1.5", {0.2f, 0.5f, 0.9f, 1})[0]);
  EXPECT_EQ(each[1], 0.5f);
  EXPECT_EQ(each[2], pixel("saturation --amount 0", {0.2f, 0.5f, 0.9f, 1})[2]);
  EXPECT_EQ(each[3], 1.0f);
  EXPECT_EQ(pixel("saturation --amount 1.5,1,0", {0.3f}), std::vector<float>{0.3f});
  EXPECT_THROW(pixel("saturation --amount 1,2", {1, 1, 1}), Error);
  EXPECT_THROW(pixel("saturation --amount 1,1,1,0", {1, 1, 1, 1}), Error);
}

TEST(Saturation, LeavesGreyExactly) {
  for (const float v : {0.1f, 0.37f, 12.3f, 1e-30f})
    EXPECT_EQ(pixel("saturation --amount 2.3", {v, v, v}), (std::vector<float>{v, v, v}));
  EXPECT_EQ(pixel("saturation --amount 0.5", {inf, 1, 1}), (std::vector<float>{inf, inf, inf}));
}

TEST(Grayscale, IsTheLuminanceOfLight) {
  const std::vector<float> made = pixel("grayscale", {0.2f, 0.5f, 0.9f, 1});
  ASSERT_EQ(made.size(), 2u);
  EXPECT_NEAR(made[0], 0.2126390059 * 0.2 + 0.7151686788 * 0.5 + 0.0721923154 * 0.9, 1e-6);
  EXPECT_EQ(made[1], 1.0f);
  EXPECT_EQ(pixel("grayscale", {0.3f, 0.3f, 0.3f}), std::vector<float>{0.3f});
  EXPECT_EQ(pixel("grayscale", {inf, inf, 1}), std::vector<float>{inf});
  EXPECT_EQ(pixel("grayscale", {0.3f}), std::vector<float>{0.3f});
}

TEST(Grayscale, OfAPngIsAGreyPngWeighedInLight) {
  // Pure sRGB green has 0.7152 of white's light, which is code 220. With codes it would be 182.
  const Image green = image_of(spec_of({0, 0, 2, 2}, PixelType::u8, 3),
                               [](int, int, int, int c) { return c == 1 ? 1.0f : 0.0f; });
  const Image made = run_chain("grayscale", green, {.format = "png"});
  EXPECT_EQ(made.spec().layers[0].channels, std::vector<std::string>{"Y"});
  EXPECT_EQ(std::to_integer<int>(made.row(0, 0)[0]), 220);
}

}  // namespace
}  // namespace cuimg::test

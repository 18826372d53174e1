// SPDX-License-Identifier: Apache-2.0
// Warps between the levels of a mipmapped texture.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/error.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

Image whole_numbers(int width, int height) {
  return image_of(spec_of({0, 0, width, height}, PixelType::f32, 1),
                  [](int, int x, int y, int) { return (x * 37 + y * 101) % 256; });
}

std::string scaled(double scale, const std::string& options = " --border clamp") {
  const std::string factor = format_value(scale);
  return "affine --filter trilinear --matrix " + factor + ",0,0," + factor + ",0,0" + options;
}

TEST(Trilinear, IsLinearWhereNothingShrinks) {
  const Image image = noise(spec_of({2, -3, 61, 47}, PixelType::f32, 4));
  for (const std::string words :
       {"rotate --angle 17", "affine --matrix 1.7,0.2,-0.3,1.5,20,-30 --border mirror",
        "undistort --k1 0.01 --border wrap", "rotate --angle 90 --expand"})
    EXPECT_TRUE(same_pixels(run_chain(words + " --filter trilinear", image),
                            run_chain(words + " --filter linear", image)))
        << words;
}

TEST(Trilinear, IsLinearInTheEnlargedPartOfAPictureThatShrinksElsewhere) {
  const Image image = noise(spec_of({0, 0, 300, 200}, PixelType::f32, 3));
  for (const std::string border : {"clamp", "wrap", "mirror", "border"}) {
    const std::string words =
        "perspective --corners 120,10,180,10,900,200,-600,200 --border " + border;
    const Image made = run_chain(words + " --filter trilinear", image);
    const Image linear = run_chain(words + " --filter linear --no-antialias", image);
    for (int y = 150; y < 200; ++y)
      for (int x = 0; x < 300; ++x)
        for (int c = 0; c < 3; ++c)
          ASSERT_EQ(value_at(made, x, y, c), value_at(linear, x, y, c)) << border << x << "," << y;
    EXPECT_FALSE(same_pixels(made, linear));
  }
}

TEST(Trilinear, HalfASizeIsTheMeanOfFourTexels) {
  const Image image = whole_numbers(64, 32);
  const Image made = run_chain(scaled(0.5), image);
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 32; ++x) {
      const float sum = value_at(image, 2 * x, 2 * y) + value_at(image, 2 * x + 1, 2 * y) +
                        value_at(image, 2 * x, 2 * y + 1) + value_at(image, 2 * x + 1, 2 * y + 1);
      ASSERT_EQ(value_at(made, x, y), sum / 4) << x << "," << y;
    }
}

TEST(Trilinear, AnEighthOfASizeIsTheMeanOfItsBlock) {
  const Image image = whole_numbers(64, 64);
  const Image made = run_chain(scaled(0.125), image);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) {
      float sum = 0;
      for (int j = 0; j < 8; ++j)
        for (int i = 0; i < 8; ++i) sum += value_at(image, 8 * x + i, 8 * y + j);
      ASSERT_EQ(value_at(made, x, y), sum / 64) << x << "," << y;
    }
}

TEST(Trilinear, BetweenTwoLevelsIsAMeanOfBoth) {
  // 2^-1.5: half of the level of 2x2 texels, half of that of 4x4.
  const Image image = image_of(spec_of({0, 0, 64, 64}, PixelType::f32, 1),
                               [](int, int x, int, int) { return x % 4 < 2 ? 1 : 0; });
  const Image made = run_chain(scaled(std::sqrt(0.125)), image);
  for (int x = 2; x < 20; ++x) {
    EXPECT_GE(value_at(made, x, 5), 0.25f) << x;
    EXPECT_LE(value_at(made, x, 5), 0.75f) << x;
  }
}

TEST(Trilinear, TheBorderWrapsAroundOnEveryLevel) {
  const Image image = whole_numbers(64, 64);
  const Image made = run_chain(scaled(0.25, " --border wrap"), image);
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x)
      ASSERT_EQ(value_at(made, x, y), value_at(made, x % 16, y % 16)) << x << "," << y;
  const Image mirrored = run_chain(scaled(0.25, " --border mirror"), image);
  for (int x = 16; x < 32; ++x)
    EXPECT_EQ(value_at(mirrored, x, 3), value_at(mirrored, 31 - x, 3)) << x;
}

TEST(Trilinear, OpaqueStaysOpaqueAndAConstantAConstant) {
  const Image image = image_of(spec_of({0, 0, 91, 67}, PixelType::f32, 4),
                               [](int, int, int, int c) { return c == 3 ? 1 : 0.3f; });
  for (const std::string words : {"affine --matrix 0.3,0.1,0,0.01,3,3 --border clamp",
                                  "affine --matrix 0.01,0,0,0.01,3,3 --border wrap",
                                  "perspective --corners 40,20,50,20,90,67,0,67 --border mirror"}) {
    const Image made = run_chain(words + " --filter trilinear", image);
    for (int y = 25; y < 67; ++y)
      for (int x = 0; x < 91; ++x) {
        ASSERT_EQ(value_at(made, x, y, 3), 1) << words << " " << x << ", " << y;
        ASSERT_NEAR(value_at(made, x, y, 0), 0.3f, 1e-6) << words << " " << x << ", " << y;
      }
  }
}

TEST(Trilinear, KeepsThePicturesLight) {
  const Image image =
      image_of(spec_of({0, 0, 63, 61}, PixelType::f32, 1), [](int, int, int, int) { return 1; });
  for (const double scale : {0.05, 0.1, 0.3, 0.5}) {
    const std::string factor = format_value(scale);
    const Image made = run_chain(
        "affine --filter trilinear --matrix " + factor + ",0,0," + factor + ",20,20", image);
    double sum = 0;
    for (int y = 0; y < 61; ++y)
      for (int x = 0; x < 63; ++x) sum += value_at(made, x, y);
    EXPECT_NEAR(sum / (63 * 61 * scale * scale), 1, 0.03) << scale;
  }
}

TEST(Trilinear, AFineGridTurnsGrey) {
  const Image grid = image_of(spec_of({0, 0, 256, 256}, PixelType::f32, 1),
                              [](int, int x, int y, int) { return (x + y) % 2; });
  for (const double scale : {0.45, 0.3, 0.21, 0.1}) {
    const Image made = run_chain(scaled(scale), grid);
    for (int y = 1; y < 20; ++y)
      for (int x = 1; x < 20; ++x) ASSERT_NEAR(value_at(made, x, y), 0.5f, 1e-6f) << scale;
  }
}

TEST(Trilinear, IdsAreCopied) {
  Spec spec = spec_of({0, 0, 32, 32}, PixelType::half, 3);
  spec.layers.push_back({"", {"id"}, PixelType::u32});
  const Image image = image_of(spec, [](int, int x, int y, int) { return x + 32 * y; });
  const Image made = run_chain(scaled(0.5), image);
  const Image copied =
      run_chain("affine --filter point --matrix 0.5,0,0,0.5,0,0 --border clamp", image);
  for (int y = 0; y < 32; ++y)
    EXPECT_EQ(0, std::memcmp(made.row(1, y), copied.row(1, y), made.row_bytes(1)));
}

TEST(Trilinear, ResizesAsAWarpOfThatScaleDoes) {
  const Image image = noise(spec_of({0, 0, 96, 64}, PixelType::half, 4));
  for (const std::string border : {"clamp", "wrap", "mirror"}) {
    const std::string reads = " --filter trilinear --border " + border;
    EXPECT_TRUE(same_pixels(
        run_chain("resize --size 25%" + reads, image),
        run_chain("affine --matrix 0.25,0,0,0.25,0,0" + reads + " + crop --region 24x16+0+0",
                  image)));
    // The middle square of a wider picture: 16 of 24 columns.
    EXPECT_TRUE(same_pixels(
        run_chain("resize --size 16x16 --fill" + reads, image),
        run_chain("affine --matrix 0.25,0,0,0.25,-4,0" + reads + " + crop --region 16x16+0+0",
                  image)));
  }
  // The two axes have different factors, and the window does not begin at the origin.
  const Image moved = noise(spec_of({5, -7, 40, 60}, PixelType::f32, 3));
  EXPECT_TRUE(same_pixels(
      run_chain("resize --size 10x30 --filter trilinear", moved),
      run_chain("affine --matrix 0.25,0,0,0.5,3.75,-3.5 --filter trilinear --border clamp + "
                "crop --region 10x30+5-7",
                moved)));
}

TEST(Trilinear, ResizesLinearlyWhatBecomesLarger) {
  const Image image = noise(spec_of({0, 0, 31, 17}, PixelType::f32, 3));
  for (const std::string size : {"173%", "100%"})
    EXPECT_TRUE(same_pixels(run_chain("resize --filter trilinear --size " + size, image),
                            run_chain("resize --filter linear --size " + size, image)));
  EXPECT_TRUE(same_pixels(run_chain("resize --filter trilinear --no-antialias --size 40%", image),
                          run_chain("resize --filter linear --no-antialias --size 40%", image)));
}

TEST(Trilinear, SaysHowManyLevelsItReads) {
  const Spec input = spec_of({0, 0, 640, 480}, PixelType::half, 4);
  const auto explained = [&](const std::string& words) {
    std::string all;
    for (const std::string& line : plan_of(parse_chain(words), input).explanation)
      all += line + "\n";
    return all;
  };
  EXPECT_NE(explained(scaled(0.25)).find("trilinear filter, of 4 levels"), std::string::npos)
      << explained(scaled(0.25));
  EXPECT_NE(explained(scaled(0.001)).find("of 10 levels"), std::string::npos);
  EXPECT_EQ(explained(scaled(1.5)).find("trilinear"), std::string::npos);
  EXPECT_EQ(explained(scaled(0.25, " --no-antialias")).find("trilinear"), std::string::npos);
}

TEST(Trilinear, RefusesSidesThatNoMipmappedTextureHas) {
  const Image image = whole_numbers(32769, 2);
  try {
    run_chain(scaled(0.5), image);
    FAIL() << "a picture of 32769 pixels was read trilinearly";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("32769x2"), std::string::npos) << text;
    EXPECT_NE(text.find("--filter linear"), std::string::npos) << text;
  }
  EXPECT_TRUE(same_pixels(run_chain(scaled(1.5), image),
                          run_chain("affine --matrix 1.5,0,0,1.5,0,0 --border clamp", image)));
  EXPECT_EQ(run_chain(scaled(0.5), whole_numbers(32768, 2)).spec().data_window.width, 32768);
}

}  // namespace
}  // namespace cuimg::test

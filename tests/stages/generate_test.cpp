// SPDX-License-Identifier: Apache-2.0
// The sources: their pictures and channels, and errors for unsupported channels.
#include <cmath>
#include <set>

#include "base/exact_math.h"
#include "support/images.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

std::string refusal(const std::string& words) {
  return error_of([&] { generate(words); });
}

TEST(Sources, HaveTheChannelsThatTheirColoursHave) {
  const auto channels = [](const std::string& words) {
    return generate(words + " --size 3x2").spec().layers.at(0).channels;
  };
  EXPECT_EQ(channels("constant --color 0.5"), channel_names(1));
  EXPECT_EQ(channels("constant --color 0.5,1"), channel_names(2));
  EXPECT_EQ(channels("constant --color 1,2,3"), channel_names(3));
  EXPECT_EQ(channels("constant --color 1,2,3,1"), channel_names(4));
  EXPECT_EQ(channels("checker --colors '0.5 0.1,1'"), channel_names(2));
  EXPECT_EQ(channels("checker --colors '0.5,1 1,0,0'"), channel_names(4));
  EXPECT_EQ(channels("gradient --from 1 --to 1,0,0"), channel_names(3));
  EXPECT_EQ(channels("noise --channels ya"), channel_names(2));
}

TEST(Sources, WantBothSidesInPixels) {
  for (const char* stage :
       {"constant", "checker", "gradient", "ramp", "zoneplate", "noise", "chart", "spheres"}) {
    for (const char* size : {"50%", "64x0", "0x64"})
      EXPECT_EQ(refusal(std::string(stage) + " --size " + size),
                std::string(stage) + ": --size " + size +
                    " leaves a side open: there is no INPUT to follow: use WxH, such as 640x480");
    EXPECT_EQ(generate(std::string(stage) + " --size 1x1").spec().data_window, (Rect{0, 0, 1, 1}));
  }
}

TEST(Sources, AreFloatInExrAndEightBitsInPng) {
  EXPECT_EQ(generate("checker", {.format = "exr"}).spec().layers[0].type, PixelType::f32);
  EXPECT_EQ(generate("checker", {.format = "png"}).spec().layers[0].type, PixelType::u8);
  EXPECT_EQ(generate("checker", {.format = "png", .type = PixelType::u16}).spec().layers[0].type,
            PixelType::u16);
}

TEST(Sources, AreLightAndAreStoredAsTheyAreWithRaw) {
  const auto stored = [](const std::string& words) {
    return static_cast<int>(generate(words, {.format = "png"}).row(0, 0)[0]);
  };
  EXPECT_EQ(stored("constant --size 1x1 --color 0.5"), 188);  // sRGB of half the light
  EXPECT_EQ(stored("constant --size 1x1 --color 0.5 --raw"), 128);
}

TEST(Constant, IsTheColour) {
  const Image image = generate("constant --size 5x3 --color 1,0.5,-2,0.25");
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x) {
      const float expected[] = {1, 0.5f, -2, 0.25f};
      for (int c = 0; c < 4; ++c) EXPECT_EQ(value_at(image, x, y, c), expected[c]);
    }
}

TEST(Checker, BeginsWithItsFirstColourAtTheTopLeft) {
  const Image image = generate("checker --size 20x20 --cell 8 --colors '0.25 2,3,4'");
  const auto red = [&](int x, int y) { return value_at(image, x, y, 0); };
  EXPECT_EQ(red(0, 0), 0.25f);
  EXPECT_EQ(red(7, 7), 0.25f);
  EXPECT_EQ(red(8, 7), 2.0f);
  EXPECT_EQ(red(7, 8), 2.0f);
  EXPECT_EQ(red(8, 8), 0.25f);
  EXPECT_EQ(red(16, 0), 0.25f);
  EXPECT_EQ(value_at(image, 8, 0, 2), 4.0f);
  EXPECT_EQ(refusal("checker --colors '1 2 3'"), "checker: --colors holds 3: give two");
}

TEST(Gradient, ReachesItsColoursExactlyAndIsEven) {
  const Image image = generate("gradient --size 9x2 --from 0.1 --to 0.7");
  EXPECT_EQ(value_at(image, 0, 1), 0.1f);
  EXPECT_EQ(value_at(image, 8, 1), 0.7f);
  EXPECT_NEAR(value_at(image, 4, 0), 0.4f, 1e-7);
  EXPECT_NEAR(value_at(image, 2, 0), 0.25f, 1e-7);
  const Image down = generate("gradient --direction vertical --size 2x9 --from 0.1 --to 0.7");
  for (int i = 0; i < 9; ++i) EXPECT_EQ(value_at(down, 1, i), value_at(image, i, 0));
}

TEST(Gradient, OfOneColourIsThatColour) {
  const Image image = generate("gradient --size 97x31 --corners '0.1 0.1 0.1 0.1'");
  EXPECT_TRUE(same_pixels(image, generate("constant --size 97x31 --color 0.1")));
}

TEST(Gradient, GoesFromTheMiddleToTheCorners) {
  const Image image = generate("gradient --direction radial --size 33x21 --from 3 --to 7");
  EXPECT_EQ(value_at(image, 16, 10), 3.0f);
  for (const int x : {0, 32})
    for (const int y : {0, 20}) EXPECT_EQ(value_at(image, x, y), 7.0f);
  EXPECT_EQ(value_at(image, 16 + 6, 10), value_at(image, 16, 10 + 6));
}

TEST(Gradient, HasFourCorners) {
  const Image image = generate("gradient --size 5x5 --corners '1 2 3 4'");
  EXPECT_EQ(value_at(image, 0, 0), 1.0f);
  EXPECT_EQ(value_at(image, 4, 0), 2.0f);
  EXPECT_EQ(value_at(image, 0, 4), 3.0f);
  EXPECT_EQ(value_at(image, 4, 4), 4.0f);
  EXPECT_EQ(value_at(image, 2, 2), 2.5f);
  EXPECT_EQ(refusal("gradient --corners '1 2 3'"),
            "gradient: --corners holds 3 colours: give four: top left, top right, bottom left, "
            "bottom right");
}

TEST(Ramp, HoldsEveryCodeOnceWithRaw) {
  const Image image = generate("ramp --raw --size 256x1", {.format = "png"});
  for (int x = 0; x < 256; ++x) EXPECT_EQ(static_cast<int>(image.row(0, 0)[x]), x);
}

TEST(Ramp, HasAsManyValuesAsSteps) {
  const Image image = generate("ramp --size 100x1 --steps 7 --from 2 --to 3");
  std::set<float> values;
  for (int x = 0; x < 100; ++x) values.insert(value_at(image, x, 0));
  EXPECT_EQ(values.size(), 7u);
  EXPECT_EQ(*values.begin(), 2.0f);
  EXPECT_EQ(*values.rbegin(), 3.0f);
}

TEST(Ramp, EndsAtToThoughThereBeMoreStepsThanColumns) {
  for (const char* steps : {"8", "20", "100000"}) {
    const Image made = generate("ramp --size 8x1 --from 2 --to 4 --steps " + std::string(steps));
    EXPECT_TRUE(same_pixels(made, generate("ramp --size 8x1 --from 2 --to 4"))) << steps;
    EXPECT_EQ(value_at(made, 7, 0), 4);
  }
}

TEST(Sources, RefuseValuesWhoseDistanceIsNoFloat) {
  const std::string far = "-3e+38 and 3e+38 are too far apart: let them differ by 3.4e38 at most";
  EXPECT_EQ(refusal("ramp --from -3e38 --to 3e38"), "ramp: --from and --to: " + far);
  EXPECT_EQ(refusal("gradient --from 0,-3e38,0 --to 0,3e38,0"),
            "gradient: --from and --to: " + far);
  EXPECT_EQ(refusal("gradient --corners '-3e38 0 3e38 0'"), "gradient: --corners: " + far);
  EXPECT_EQ(refusal("noise --min -3e38 --max 3e38"),
            "noise: --min -3e+38 and --max 3e+38 are too far apart: let them differ by 3.4e38 at "
            "most");
  EXPECT_EQ(refusal("ramp --from 0 --to 3e38"), "no error");
}

TEST(Ramp, HasABandForEachChannel) {
  const Image image = generate("ramp --size 11x5 --channels RGBA");
  for (int band = 0; band < 5; ++band)
    for (int c = 0; c < 4; ++c) {
      const bool ramps = c < 3 ? band == c || band >= 3 : band == 4;
      EXPECT_EQ(value_at(image, 5, band, c), ramps ? 0.5f : c == 3 ? 1.0f : 0.0f);
    }
}

TEST(Zoneplate, IsTheCosineFarFromTheMiddleToo) {
  const int width = 100000;
  const Image image = generate("zoneplate --size 100000x3 --frequency 0.37");
  for (int x = 0; x < width; x += 613) {
    // The phase is 0.37 (dx^2 + dy^2) / width turns; in half pixels the numerator is an integer.
    const auto dx = static_cast<std::int64_t>(2 * x + 1 - width);
    const std::int64_t numerator = 37 * (dx * dx + 4) % (std::int64_t{width} * 400);
    const double half_turns = 2.0 * static_cast<double>(numerator) / (width * 400.0);
    EXPECT_NEAR(value_at(image, x, 0), 0.5 + 0.5 * exact::cos_pi(half_turns), 2e-7) << x;
  }
}

TEST(Zoneplate, ReachesNyquistWhereTheLongerSideEnds) {
  const Image image = generate("zoneplate --size 512x511");
  const auto step = [&](int from, int to) {
    float largest = 0;
    for (int x = from; x < to; ++x)
      largest = std::max(largest, std::fabs(value_at(image, x + 1, 255) - value_at(image, x, 255)));
    return largest;
  };
  // Next to the edge black follows white.
  EXPECT_GT(step(480, 511), 0.99f);
  EXPECT_LT(step(256, 260), 0.1f);
}

TEST(Noise, OfALargerPictureHoldsTheSmaller) {
  const Image small = generate("noise --size 31x17 --seed 5");
  const Image large = generate("noise --size 90x40 --seed 5");
  for (int y = 0; y < 17; ++y)
    EXPECT_EQ(std::memcmp(small.row(0, y), large.row(0, y), small.row_bytes(0)), 0);
  EXPECT_FALSE(same_pixels(small, generate("noise --size 31x17 --seed 6")));
  EXPECT_FALSE(same_pixels(small, generate("noise --size 31x17 --seed 4294967301")));  // 5 + 2^32
}

struct Moments {
  double mean = 0, variance = 0, skew = 0, kurtosis = 0;
};
Moments moments_of(const Image& image, int channel) {
  const Rect& r = image.spec().data_window;
  Moments m;
  const auto each = [&](auto term) {
    double sum = 0;
    for (int y = 0; y < r.height; ++y)
      for (int x = 0; x < r.width; ++x)
        sum += term(static_cast<double>(value_at(image, x, y, channel)));
    return sum / static_cast<double>(r.pixels());
  };
  m.mean = each([](double v) { return v; });
  m.variance = each([&](double v) { return (v - m.mean) * (v - m.mean); });
  const double sigma = std::sqrt(m.variance);
  m.skew = each([&](double v) { return std::pow((v - m.mean) / sigma, 3); });
  m.kurtosis = each([&](double v) { return std::pow((v - m.mean) / sigma, 4); });
  return m;
}

// With 2^18 values, the bounds are more than five standard errors of each moment.
TEST(Noise, HasTheMomentsOfItsDistribution) {
  const Image uniform = generate("noise --size 512x512 --min -1 --max 3");
  const Image normal =
      generate("noise --size 512x512 --distribution gaussian --mean 2 --stddev 0.5");
  for (int c = 0; c < 3; ++c) {
    const Moments u = moments_of(uniform, c);
    EXPECT_NEAR(u.mean, 1, 0.012);
    EXPECT_NEAR(u.variance, 16.0 / 12, 0.015);
    EXPECT_NEAR(u.skew, 0, 0.02);
    EXPECT_NEAR(u.kurtosis, 1.8, 0.02);
    const Moments n = moments_of(normal, c);
    EXPECT_NEAR(n.mean, 2, 0.005);
    EXPECT_NEAR(n.variance, 0.25, 0.0035);
    EXPECT_NEAR(n.skew, 0, 0.025);
    EXPECT_NEAR(n.kurtosis, 3, 0.05);
  }
}

TEST(Noise, OfOneValueIsThatValue) {
  EXPECT_TRUE(same_pixels(generate("noise --size 9x9 --min 0.3 --max 0.3 --channels Y"),
                          generate("constant --size 9x9 --color 0.3")));
  EXPECT_TRUE(same_pixels(
      generate("noise --size 9x9 --distribution gaussian --mean 0.3 --stddev 0 --channels Y"),
      generate("constant --size 9x9 --color 0.3")));
  EXPECT_EQ(refusal("noise --min 1 --max 0"), "noise: --min 1 is above --max 0");
}

TEST(Noise, HasOpaqueAlpha) {
  const Image image = generate("noise --size 9x9 --channels RGBA");
  for (int x = 0; x < 9; ++x) EXPECT_EQ(value_at(image, x, 4, 3), 1.0f);
}

TEST(Chart, HasThePublishedCodesInPng) {
  const Image image = generate("chart --size 960x960", {.format = "png"});
  const auto code = [&](int x, int y) {
    const auto* v = reinterpret_cast<const std::uint8_t*>(image.row(0, y)) + 3 * x;
    return std::vector<int>{v[0], v[1], v[2]};
  };
  const auto patch = [&](int column, int row) {
    return code(20 + 600 * (2 * column + 1) / 12, 220 + 400 * (2 * row + 1) / 8);
  };
  EXPECT_EQ(patch(0, 0), (std::vector{115, 82, 68}));
  EXPECT_EQ(patch(5, 0), (std::vector{103, 189, 170}));
  EXPECT_EQ(patch(5, 2), (std::vector{8, 133, 161}));
  EXPECT_EQ(patch(3, 3), (std::vector{122, 122, 121}));
  for (int i = 0; i < 17; ++i) {
    const int grey = std::min(255, 16 * i);
    EXPECT_EQ(code(960 * (2 * i + 1) / 34, 60), (std::vector{grey, grey, grey}));
  }
  EXPECT_EQ(code(3 * 60, 160), (std::vector{255, 255, 0}));
}

TEST(Spheres, HaveHighlightsAndEveryDegreeOfAlpha) {
  const Image image = generate("spheres --size 160x120");
  float brightest = 0, least = 1, most = 0;
  bool between = false;
  for (int y = 0; y < 120; ++y)
    for (int x = 0; x < 160; ++x) {
      for (int c = 0; c < 3; ++c) brightest = std::max(brightest, value_at(image, x, y, c));
      const float alpha = value_at(image, x, y, 3);
      least = std::min(least, alpha), most = std::max(most, alpha);
      between = between || (alpha > 0 && alpha < 1);
    }
  EXPECT_GT(brightest, 100.0f);
  EXPECT_EQ(least, 0.0f);
  EXPECT_EQ(most, 1.0f);
  EXPECT_TRUE(between);
}

TEST(Spheres, AreOverASkyWithoutAlphaAndTheSameWhereTheyCover) {
  const Image with = generate("spheres --size 40x30 --rays 2");
  const Image without = generate("spheres --size 40x30 --rays 2 --channels RGB");
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 40; ++x)
      for (int c = 0; c < 3; ++c) {
        EXPECT_GT(value_at(without, x, y, c), 0.0f);
        if (value_at(with, x, y, 3) == 1) {
          EXPECT_EQ(value_at(with, x, y, c), value_at(without, x, y, c));
        }
      }
}

TEST(Spheres, ChangeWithSeedAndCount) {
  const Image image = generate("spheres --size 40x30 --rays 1");
  EXPECT_TRUE(same_pixels(image, generate("spheres --size 40x30 --rays 1 --seed 1")));
  EXPECT_FALSE(same_pixels(image, generate("spheres --size 40x30 --rays 1 --seed 2")));
  EXPECT_FALSE(same_pixels(image, generate("spheres --size 40x30 --rays 1 --count 21")));
}

TEST(Sources, BeginAChainThatLayersChooseIn) {
  EXPECT_TRUE(same_pixels(generate("constant --size 4x4 --color 0.5,0.5,0.5 + gain --value 2"),
                          generate("constant --size 4x4 --color 1,1,1")));
  EXPECT_TRUE(
      same_pixels(generate("constant --size 4x4 --color 1,1,1 + gain --value 2 --layers RGB"),
                  generate("constant --size 4x4 --color 2,2,2")));
  EXPECT_EQ(refusal("constant --size 4x4 + gain --layers Z"),
            "--layers Z: the image has no such layer: it has RGB");
}

}  // namespace
}  // namespace cuimg::test

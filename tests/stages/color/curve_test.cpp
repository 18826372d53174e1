// SPDX-License-Identifier: Apache-2.0
// Curve: passes through its points, equals SciPy between them, and is straight beyond them.
#include <cmath>
#include <limits>

#include "base/error.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

float through(const std::string& points, float x) {
  return value_at(run_chain("curve --points '" + points + "'",
                            flat(spec_of({0, 0, 2, 2}, PixelType::f32, 1), x)),
                  1, 1);
}

TEST(Curve, MeetsItsPointsExactly) {
  const float x[] = {-0.5f, 0.1f, 0.3f, 0.30001f, 2.0f}, y[] = {0.25f, 0.7f, 0.2f, 0.9f, 0.9f};
  for (const char* rest : {"", " --interpolation linear"})
    for (int i = 0; i < 5; ++i) {
      const Image source = flat(spec_of({0, 0, 2, 2}, PixelType::f32, 3), x[i]);
      const Image made = run_chain(
          "curve --points '-0.5,0.25 0.1,0.7 0.3,0.2 0.30001,0.9 2,0.9'" + std::string(rest),
          source);
      EXPECT_EQ(value_at(made, 0, 0), y[i]) << i << rest;
    }
}

TEST(Curve, IsSciPysPchipBetweenThem) {
  // scipy.interpolate.PchipInterpolator of SciPy 1.17.1.
  struct Case {
    const char* points;
    double x, y;
  };
  const Case cases[] = {{"0,0 0.25,0.18 0.75,0.82 1,1", 0.125, 0.0787356322},
                        {"0,0 0.25,0.18 0.75,0.82 1,1", 0.375, 0.3218965517},
                        {"0,0 0.25,0.18 0.75,0.82 1,1", 0.875, 0.9212643678},
                        {"0,0.02 0.1,0.3 0.2,0.25 1,1", 0.125, 0.2921875},
                        {"0,0.02 0.1,0.3 0.2,0.25 1,1", 0.625, 0.4256566366},
                        {"0,0.02 0.1,0.3 0.2,0.25 1,1", 0.875, 0.75365448},
                        {"0,0 1,2 3,3", 0.375, 0.9236886161},
                        {"0,0 1,2 3,3", 1.875, 2.6440429688}};
  for (const Case& c : cases)
    EXPECT_NEAR(through(c.points, static_cast<float>(c.x)), c.y, 3e-7) << c.points << " " << c.x;
}

TEST(Curve, GoesOnStraightBeyondItsEnds) {
  // SciPy's slopes at the ends: 4.45 and 2.2152777778.
  EXPECT_NEAR(through("0,0.02 0.1,0.3 0.2,0.25 1,1", -1), 0.02 - 4.45, 1e-6);
  EXPECT_NEAR(through("0,0.02 0.1,0.3 0.2,0.25 1,1", 101), 1 + 221.52777778, 1e-4);
  EXPECT_EQ(through("0,0 1,1 2,1", 7), 1.0f);
  constexpr float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(through("0,0 1,2", inf), inf);
  EXPECT_EQ(through("0,0 1,2 2,5", -inf), -inf);
  EXPECT_EQ(through("0,0 1,1 2,1", inf), 1.0f);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(through("0,0 1,1 2,1", NAN)), 0x7fc00000u);
}

TEST(Curve, IsMonotoneWhereItsPointsAre) {
  Spec spec = spec_of({0, 0, 4000, 1}, PixelType::f32, 1);
  const Image ramp =
      image_of(spec, [](int, int x, int, int) { return static_cast<float>(x) / 3999; });
  const Image made =
      run_chain("curve --points '0,0 0.1,0.5 0.12,0.51 0.5,0.511 0.6,0.9 1,1'", ramp);
  for (int x = 1; x < 4000; ++x) ASSERT_GE(value_at(made, x, 0), value_at(made, x - 1, 0)) << x;
}

TEST(Curve, OfNothingChangesNothing) {
  const Image source = noise(spec_of({0, 0, 20, 20}, PixelType::u8, 3));
  EXPECT_TRUE(same_pixels(run_chain("curve", source, {.format = "png"}), source));
}

TEST(Curve, IsOfStraightColoursAndLeavesAlpha) {
  const Image source =
      image_of(spec_of({0, 0, 2, 2}, PixelType::f32, 4), [](int, int, int, int) { return 0.25f; });
  // Straight 1 becomes 3, of which a quarter is visible.
  const Image made = run_chain("curve --points '0,0 1,3'", source, {.format = "exr"});
  EXPECT_EQ(value_at(made, 1, 1, 0), 0.75f);
  EXPECT_EQ(value_at(made, 1, 1, 3), 0.25f);
}

// Red's own curve doubles it, then the curve of all adds a quarter.
TEST(Curve, OfOneColourComesBeforeThatOfAll) {
  const Image source = image_of(spec_of({0, 0, 3, 2}, PixelType::f32, 4),
                                [](int, int, int, int c) { return c == 3 ? 1.0f : 0.25f; });
  const std::string red = "curve --red '0,0 1,2'", all = " --points '0,0.25 1,1.25'";
  const auto pixel = [&](const std::string& words) {
    const Image made = run_chain(words, source);
    return std::vector<float>{value_at(made, 2, 1, 0), value_at(made, 2, 1, 1),
                              value_at(made, 2, 1, 2), value_at(made, 2, 1, 3)};
  };
  EXPECT_EQ(pixel(red), (std::vector<float>{0.5f, 0.25f, 0.25f, 1}));
  EXPECT_EQ(pixel(red + all), (std::vector<float>{0.75f, 0.5f, 0.5f, 1}));
  EXPECT_EQ(pixel("curve --green '0,1 1,0' --blue '0,0 1,3' --interpolation linear"),
            (std::vector<float>{0.25f, 0.75f, 0.75f, 1}));
}

TEST(Curve, OfRedNeedsRed) {
  const Image grey = flat(spec_of({0, 0, 2, 2}, PixelType::f32, 2), 0.5f);
  try {
    run_chain("curve --red '0,0 1,2'", grey);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "curve: --red is given, and a layer has no red, green and blue: --points is for all "
              "layers; --layers chooses some");
  }
}

// Any number of points, including powers of two, each of which must be found.
TEST(Curve, FindsThePieceAmongAnyNumberOfPoints) {
  for (const int count : {2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 255, 256, 1023, 1024}) {
    std::string points;
    for (int i = 0; i < count; ++i)
      points += std::to_string(i) + "," + std::to_string(i % 7) + (i + 1 < count ? " " : "");
    const Spec spec = spec_of({0, 0, 2 * count, 1}, PixelType::f32, 1);
    const Image halves =
        image_of(spec, [](int, int x, int, int) { return static_cast<float>(x) / 2; });
    const Image made = run_chain("curve --interpolation linear --points '" + points + "'", halves);
    for (int x = 0; x + 1 < 2 * count; ++x) {
      const int i = x / 2;
      const double expected = x % 2 == 0 ? i % 7 : (i % 7 + (i + 1) % 7) / 2.0;
      ASSERT_EQ(value_at(made, x, 0), static_cast<float>(expected)) << count << " " << x;
    }
  }
}

TEST(Curve, RefusesPointsThatDoNotRise) {
  EXPECT_THROW(through("0,0 0,1", 0), Error);
  EXPECT_THROW(through("1,0 0,1", 0), Error);
  EXPECT_THROW(through("0,0", 0), Error);
}

}  // namespace
}  // namespace cuimg::test

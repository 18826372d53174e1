// SPDX-License-Identifier: Apache-2.0
// Tone curves: points of the published formulas, and their treatment of alpha, primaries, files and
// values that are not light.
#include <limits>

#include "base/error.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

struct Rgb {
  double v[3];
};

// Computed by another program from the printed formulas, in double.
constexpr int point_count = 7;
constexpr Rgb points[point_count] = {{0.18, 0.18, 0.18}, {1, 1, 1},     {0, 0, 0},
                                     {0.02, 0.05, 0.01}, {4, 0.5, 0.1}, {0.3, 0.6, 12},
                                     {100, 80, 60}};
struct Printed {
  const char* curve;
  Rgb results[point_count];
};
const Printed printed[] = {
    {"reinhard",
     {{0.152542373, 0.152542373, 0.152542373},
      {0.5, 0.5, 0.5},
      {0, 0, 0},
      {0.0192172063, 0.0480430158, 0.00960860316},
      {1, 0.225711216, 0.0451422432},
      {0.12715636, 0.25431272, 1},
      {1, 0.95456281, 0.715922108}}},
    {"reinhard-extended",
     {{0.154258475, 0.154258475, 0.154258475},
      {0.53125, 0.53125, 0.53125},
      {0, 0, 0},
      {0.0192661309, 0.0481653273, 0.00963306546},
      {1, 0.242854265, 0.048570853},
      {0.137959087, 0.275918175, 1},
      {1, 1, 1}}},
    {"hable",
     {{0.0671098293, 0.0671098293, 0.0671098293},
      {0.304300561, 0.304300561, 0.304300561},
      {0, 0, 0},
      {0.00766365515, 0.0191144093, 0.00383220704},
      {0.713238011, 0.171969642, 0.0379294202},
      {0.108597453, 0.201196813, 1},
      {1, 1, 1}}},
    {"aces",
     {{0.105591247, 0.105591247, 0.105590191},
      {0.619115427, 0.619115427, 0.619109236},
      {0, 0, 0},
      {0.00307816178, 0.0133196591, 0.00142622772},
      {1, 0.493940898, 0.153819796},
      {0.628273653, 0.511581039, 1},
      {1, 1, 1}}},
    {"agx",
     {{0.214548629, 0.214502356, 0.214499165},
      {0.590229442, 0.59013612, 0.590102344},
      {0, 0, 0},
      {0.0208853305, 0.0554416066, 0.00691763002},
      {0.986347083, 0.524874532, 0.35426511},
      {0.584039918, 0.72783364, 1},
      {0.996978349, 0.996878661, 0.996778974}}},
    {"neutral",
     {{0.14, 0.14, 0.14},
      {0.869090909, 0.869090909, 0.869090909},
      {0, 0, 0},
      {0.010625, 0.040625, 0.000625},
      {0.983255814, 0.382473067, 0.313812181},
      {0.626940295, 0.636376827, 0.994965035},
      {0.999420756, 0.986800014, 0.974179272}}},
};

Image pixel(const std::vector<float>& values) {
  const Spec spec = spec_of({0, 0, 1, 1}, PixelType::f32, static_cast<int>(values.size()));
  return image_of(spec, [&](int, int, int, int c) { return values[static_cast<std::size_t>(c)]; });
}
Image pixel_of(const Rgb& rgb) { return pixel({rgb.v, rgb.v + 3}); }

std::vector<float> mapped(const std::string& words, const Image& source) {
  const Image made = run_chain("tonemap " + words, source);
  std::vector<float> values;
  for (int c = 0; c < made.spec().layers[0].channel_count(); ++c)
    values.push_back(value_at(made, 0, 0, c));
  return values;
}

TEST(Tonemap, EachCurveIsThePublishedOne) {
  for (const Printed& p : printed)
    for (int i = 0; i < point_count; ++i) {
      const std::vector<float> made =
          mapped(std::string("--curve ") + p.curve, pixel_of(points[i]));
      for (std::size_t c = 0; c < 3; ++c)
        EXPECT_NEAR(static_cast<double>(made[c]), p.results[i].v[c], 1e-6)
            << p.curve << ", point " << i << ", channel " << c;
    }
}

TEST(Tonemap, WhiteIsWhereTheCurveEnds) {
  for (const std::string curve : {"reinhard-extended", "hable"}) {
    EXPECT_NEAR(mapped("--curve " + curve + " --white 7", pixel({7, 7, 7}))[1], 1, 3e-7);
    EXPECT_LT(mapped("--curve " + curve + " --white 7", pixel({6, 6, 6}))[1], 0.99f);
    EXPECT_EQ(mapped("--curve " + curve + " --white 7", pixel({8, 8, 8}))[1], 1);
  }
  // W = 11.2 is Hable's own.
  EXPECT_NEAR(mapped("--curve hable", pixel({11.2f, 11.2f, 11.2f}))[0], 1, 3e-7);
  for (const std::string curve : {"reinhard", "aces", "agx", "neutral"})
    EXPECT_THROW(mapped("--curve " + curve + " --white 7", pixel({1, 1, 1})), Error) << curve;
}

TEST(Tonemap, GreyRisesFromBlackToNoMoreThanOne) {
  for (const Printed& p : printed) {
    const Spec spec = spec_of({0, 0, 4000, 1}, PixelType::f32, 3);
    const Image ramp = image_of(
        spec, [](int, int x, int, int) { return std::exp2(static_cast<float>(x) / 100 - 24); });
    const Image made = run_chain(std::string("tonemap --curve ") + p.curve, ramp);
    for (int x = 1; x < 4000; ++x) {
      // Where the curve is flat, the last bit may decrease.
      EXPECT_GE(value_at(made, x, 0, 1), value_at(made, x - 1, 0, 1) - 2e-7f) << p.curve << x;
      EXPECT_GE(value_at(made, x, 0, 1), 0) << p.curve;
      EXPECT_LE(value_at(made, x, 0, 1), 1) << p.curve;
    }
    EXPECT_LT(value_at(made, 0, 0, 1), 1e-3f) << p.curve;
    EXPECT_GT(value_at(made, 3999, 0, 1), 0.99f) << p.curve;
  }
}

TEST(Tonemap, ExposureIsStopsBeforeTheCurve) {
  for (const Printed& p : printed) {
    const std::string curve = std::string("--curve ") + p.curve;
    EXPECT_EQ(mapped(curve + " --exposure 2", pixel({0.1f, 0.2f, 0.3f})),
              mapped(curve, pixel({0.4f, 0.8f, 1.2f})));
  }
}

TEST(Tonemap, LeavesAlphaAndMapsColourThatIsNotPremultiplied) {
  for (const Printed& p : printed) {
    const std::string curve = std::string("--curve ") + p.curve;
    const std::vector<float> opaque = mapped(curve, pixel({4, 0.5f, 0.125f}));
    const std::vector<float> half = mapped(curve, pixel({1, 0.125f, 0.03125f, 0.25f}));
    // The result of a stage, with straight colour.
    EXPECT_EQ(half, (std::vector<float>{opaque[0], opaque[1], opaque[2], 0.25f})) << p.curve;
  }
  const Image stored =
      run_chain("tonemap --curve neutral", pixel({0.25f, 0.25f, 0.25f, 0.5f}), {.format = "exr"});
  EXPECT_NEAR(value_at(stored, 0, 0, 0), 0.5 * (0.5 - 0.04), 1e-6);
}

TEST(Tonemap, GreyIsThreeEqualChannels) {
  for (const Printed& p : printed) {
    const std::string curve = std::string("--curve ") + p.curve;
    const float rgb = mapped(curve, pixel({0.7f, 0.7f, 0.7f}))[1];
    EXPECT_EQ(mapped(curve, pixel({0.7f})), std::vector<float>{rgb}) << p.curve;
    EXPECT_EQ(mapped(curve, pixel({0.7f * 0.5f, 0.5f})), (std::vector<float>{rgb, 0.5f}))
        << p.curve;
  }
}

TEST(Tonemap, DisplayLightIsEncodedOnceOnWriting) {
  // AgX's middle grey, 0.2145 of light, is sRGB 128; encoded twice it would be 188.
  const Image grey = pixel({0.18f, 0.18f, 0.18f});
  const Image made =
      run_chain("tonemap --curve agx", grey, {.format = "png", .type = PixelType::u8});
  EXPECT_EQ(std::to_integer<int>(made.row(0, 0)[1]), 128);
  const Image neutral =
      run_chain("tonemap --curve neutral", grey, {.format = "png", .type = PixelType::u8});
  EXPECT_EQ(std::to_integer<int>(neutral.row(0, 0)[1]), 105);  // sRGB of 0.14
}

TEST(Tonemap, OtherPrimariesBecomeRec709) {
  Spec spec = spec_of({0, 0, 1, 1}, PixelType::f32, 3);
  const Rgb rec709 = {0.3, 0.6, 0.1};
  const Matrix3 to_ap1 = rgb_to_rgb(primaries::rec709, primaries::aces_ap1);
  spec.color.primaries = primaries::aces_ap1;
  const Image wide = image_of(spec, [&](int, int, int, int c) {
    const auto& row = to_ap1.m[c];
    return row[0] * rec709.v[0] + row[1] * rec709.v[1] + row[2] * rec709.v[2];
  });
  for (const Printed& p : printed) {
    const std::string curve = std::string("--curve ") + p.curve;
    const Image made = run_chain("tonemap " + curve, wide);
    EXPECT_EQ(made.spec().color.primaries, primaries::rec709);
    const std::vector<float> expected = mapped(curve, pixel_of(rec709));
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(value_at(made, 0, 0, c), expected[static_cast<std::size_t>(c)], 2e-6) << p.curve;
  }
}

TEST(Tonemap, ValuesThatAreNoLight) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Printed& p : printed) {
    const std::string curve = std::string("--curve ") + p.curve;
    EXPECT_EQ(mapped(curve, pixel({-1, -2, -infinity})), (std::vector<float>{0, 0, 0})) << p.curve;
    for (const float white : mapped(curve, pixel({infinity, infinity, infinity})))
      EXPECT_GT(white, 0.99f) << p.curve;
    EXPECT_GT(mapped(curve, pixel({infinity, 0, 0}))[0], 0.95f) << p.curve;
    const Image spoilt = run_chain("tonemap " + curve, pixel({0.5f, nan, 0.5f}));
    for (int c = 0; c < 3; ++c)
      EXPECT_EQ(std::bit_cast<std::uint32_t>(value_at(spoilt, 0, 0, c)), 0x7fc00000u) << p.curve;
    EXPECT_EQ(mapped(curve + " --exposure 127", pixel({1, 1, 1})).size(), 3u);
  }
  // Colours slightly outside of Rec.709's gamut are still colours for curves that first mix
  // channels.
  EXPECT_GT(mapped("--curve aces", pixel({-0.05f, 0.5f, 0.5f}))[1],
            mapped("--curve aces", pixel({-0.10f, 0.5f, 0.5f}))[1]);
}

}  // namespace
}  // namespace cuimg::test

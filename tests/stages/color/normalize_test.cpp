// SPDX-License-Identifier: Apache-2.0
// normalize and balance: their measurements and results.
#include <limits>
#include <numeric>

#include "support/images.h"

namespace cuimg::test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// One row of grey.
Image row_of(const std::vector<float>& values) {
  return image_of(spec_of({0, 0, static_cast<int>(values.size()), 1}, PixelType::f32, 1),
                  [&](int, int x, int, int) { return values[static_cast<std::size_t>(x)]; });
}
std::vector<float> values_of(const Image& image) {
  std::vector<float> values;
  for (int x = 0; x < image.spec().data_window.width; ++x) values.push_back(value_at(image, x, 0));
  return values;
}

using Values = std::vector<float>;

TEST(Normalize, StretchesTheLeastAndTheGreatestValueToTheRange) {
  EXPECT_EQ(values_of(run_chain("normalize", row_of({1, 2, 3, 5}))), (Values{0, 0.25f, 0.5f, 1}));
  EXPECT_EQ(values_of(run_chain("normalize --low -1 --high 3", row_of({1, 2, 3, 5}))),
            (Values{-1, 0, 1, 3}));
  EXPECT_EQ(values_of(run_chain("normalize --low 1 --high 0", row_of({-4, 0, 4}))),
            (Values{1, 0.5f, 0}));
  EXPECT_EQ(problem("normalize --low 1", row_of({1})),
            "normalize: --low and --high are equal: give a range");
}

TEST(Normalize, LeavesOutWhatIsNotFiniteAndKeepsIt) {
  const Values made = values_of(run_chain(
      "normalize", row_of({-infinity, 2, std::bit_cast<float>(0x7fc00000u), 4, infinity, 3})));
  EXPECT_EQ(made[0], -infinity);
  EXPECT_EQ(made[1], 0);
  EXPECT_TRUE(std::isnan(made[2]));
  EXPECT_EQ(made[3], 1);
  EXPECT_EQ(made[4], infinity);
  EXPECT_EQ(made[5], 0.5f);
}

TEST(Normalize, OneValueStaysAsItIs) {
  EXPECT_EQ(values_of(run_chain("normalize", row_of({3, 3, 3}))), (Values{3, 3, 3}));
  EXPECT_EQ(values_of(run_chain("normalize", row_of({infinity}))), (Values{infinity}));
}

TEST(Normalize, StretchesRangesOfAnyWidth) {
  for (const float unit : {0x1p-149f, 0x1p-140f, 1e-39f, 1e-30f, 1e30f, 0x1p120f})
    EXPECT_EQ(values_of(run_chain("normalize", row_of({0, unit, 2 * unit, 4 * unit}))),
              (Values{0, 0.25f, 0.5f, 1}))
        << unit;
  constexpr float most = std::numeric_limits<float>::max();
  EXPECT_EQ(values_of(run_chain("normalize", row_of({-most, 0, most}))), (Values{0, 0.5f, 1}));
  EXPECT_EQ(values_of(run_chain("normalize --low -2 --high 6", row_of({most, 0, -most}))),
            (Values{6, 2, -2}));
  EXPECT_EQ(values_of(run_chain("normalize --low 0 --high 4e-39", row_of({0, 1, 4}))),
            (Values{0, 1e-39f, 4e-39f}));
}

// Ranks compared with a sorted list, for values of every size and sign.
TEST(Normalize, CutsTheRequestedShareOfValues) {
  std::mt19937 random(5);
  Values values(997);
  for (float& v : values) {
    do {
      v = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    } while (!(std::abs(v) < 1e30f));
    v = std::copysign(std::cbrt(std::abs(v)), v);
  }
  Values sorted = values;
  std::sort(sorted.begin(), sorted.end());
  for (const float cut : {0.0f, 0.05f, 1.0f, 12.5f, 49.0f}) {
    const auto rank = static_cast<std::size_t>(997 * static_cast<double>(cut) / 100);
    const float low = sorted[rank], high = sorted[996 - rank];
    const Values made =
        values_of(run_chain("normalize --cut " + format_value(cut), row_of(values)));
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == low) {
        EXPECT_EQ(made[i], 0) << cut;
      }
      if (values[i] == high) {
        EXPECT_EQ(made[i], 1) << cut;
      }
      if (values[i] < low) {
        EXPECT_LE(made[i], 0) << cut;
      }
      if (values[i] > high) {
        EXPECT_GE(made[i], 1) << cut;
      }
    }
  }
}

TEST(Normalize, AllColoursOfALayerAlikeByDefaultAndAlphaStays) {
  Spec spec = spec_of({0, 0, 2, 1}, PixelType::f32, 4);
  spec.color.premultiplied = true;
  const Image image = image_of(spec, [](int, int x, int, int c) {
    if (c == 3) return 1.0f;
    return static_cast<float>(x == 0 ? c : c + 2);  // 0 1 2 and 2 3 4
  });
  const Image together = run_chain("normalize", image);
  EXPECT_EQ(value_at(together, 0, 0, 1), 0.25f);
  EXPECT_EQ(value_at(together, 1, 0, 2), 1);
  EXPECT_EQ(value_at(together, 1, 0, 3), 1);
  const Image apart = run_chain("normalize --each", image);
  for (int c = 0; c < 3; ++c) {
    EXPECT_EQ(value_at(apart, 0, 0, c), 0);
    EXPECT_EQ(value_at(apart, 1, 0, c), 1);
  }
}

TEST(Normalize, DoesNotCountPixelsThatAreTransparent) {
  Spec spec = spec_of({0, 0, 3, 1}, PixelType::u8, 4);
  const Image image = image_of(spec, [](int, int x, int, int c) {
    if (c == 3) return x == 2 ? 0.0f : 1.0f;
    return x == 0 ? 0.2f : x == 1 ? 0.4f : 1.0f;
  });
  const Image made = run_chain("normalize", image, {.format = "png"});
  EXPECT_EQ(std::to_integer<int>(made.row(0, 0)[0]), 0);
  EXPECT_EQ(std::to_integer<int>(made.row(0, 0)[4]), 255);
  EXPECT_EQ(std::to_integer<int>(made.row(0, 0)[11]), 0);
}

TEST(Normalize, EachLayerByItselfAndThoseThatAreNamedAlone) {
  Spec spec = spec_of({0, 0, 2, 1}, PixelType::f32, 3);
  spec.layers.push_back({"diffuse", {"R", "G", "B"}, PixelType::f32});
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  const Image image = image_of(spec, [](int layer, int x, int, int) {
    return static_cast<float>((layer + 1) * (x + 1) * 4);
  });
  const Image made = run_chain("normalize", image);
  for (const int layer : {0, 1}) EXPECT_EQ(value_at(made, 1, 0, 0, layer), 1) << layer;
  EXPECT_EQ(value_at(made, 1, 0, 0, 2), 24);
  const Image depth = run_chain("normalize --layers Z", image);
  EXPECT_EQ(value_at(depth, 0, 0, 0, 2), 0);
  EXPECT_EQ(value_at(depth, 1, 0, 0, 2), 1);
  EXPECT_EQ(value_at(depth, 1, 0, 0, 0), 8);
}

TEST(Normalize, IsTheSameWithAnyNumberOfThreadsAndAsLevels) {
  const Image image = noise(spec_of({-3, 7, 133, 61}, PixelType::half, 3));
  const Image made = run_chain("normalize --cut 1", image);
  EXPECT_TRUE(same_pixels(run_chain("normalize --cut 1", image, {.threads = 5}), made));
  const Image codes = noise(spec_of({0, 0, 40, 9}, PixelType::u8, 3));
  const Image stretched = run_chain("levels --black 0.25 --white 0.5", codes);
  const Image back = run_chain("levels --black 0.25 --white 0.5 + normalize", codes);
  EXPECT_NEAR(value_at(back, 11, 5), value_at(run_chain("normalize", codes), 11, 5), 1e-6);
  EXPECT_FALSE(same_pixels(stretched, back));
}

TEST(Balance, MakesTheMeansAlikeAndKeepsTheLuminance) {
  const Spec spec = spec_of({0, 0, 64, 48}, PixelType::f32, 3);
  Image image = noise(spec);
  image = run_chain("gain --value 2,1,0.5", image);
  const Image made = run_chain("balance", image);
  double means[2][3] = {};
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x)
      for (int c = 0; c < 3; ++c) {
        means[0][c] += static_cast<double>(value_at(image, x, y, c));
        means[1][c] += static_cast<double>(value_at(made, x, y, c));
      }
  const auto luminance = [](const double(&m)[3]) {
    return 0.2126 * m[0] + 0.7152 * m[1] + 0.0722 * m[2];
  };
  for (const int c : {0, 2}) EXPECT_NEAR(means[1][c] / means[1][1], 1, 1e-6);
  EXPECT_NEAR(luminance(means[1]) / luminance(means[0]), 1, 1e-6);
  EXPECT_TRUE(same_pixels(run_chain("balance", image, {.threads = 7}), made));
  EXPECT_TRUE(same_pixels(run_chain("balance --amount 0", image), image));
}

TEST(Balance, LeavesWhatHasNoMeanColour) {
  const Image grey = noise(spec_of({0, 0, 5, 5}, PixelType::f32, 1));
  EXPECT_TRUE(same_pixels(run_chain("balance", grey), grey));
  const Image black = flat(spec_of({0, 0, 5, 5}, PixelType::f32, 3), 0);
  EXPECT_TRUE(same_pixels(run_chain("balance", black), black));
  const Image infinite = flat(spec_of({0, 0, 5, 5}, PixelType::f32, 4), infinity);
  EXPECT_TRUE(same_pixels(run_chain("balance", infinite), infinite));
}

}  // namespace
}  // namespace cuimg::test

// SPDX-License-Identifier: Apache-2.0
// Blur and unsharp: exact weights, edges, windows, and values that must not spread.
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "stages/resample/unit_weights.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

// One pixel of 1 in the middle of zeros.
Image impulse(int size) {
  return image_of(spec_of({0, 0, size, size}, PixelType::f32, 1), [&](int, int x, int y, int) {
    return x == size / 2 && y == size / 2 ? 1.0f : 0.0f;
  });
}

std::vector<float> gaussian(double sigma) {
  const int radius = static_cast<int>(std::ceil(3 * sigma));
  std::vector<double> values;
  for (int x = -radius; x <= radius; ++x) values.push_back(std::exp(-x * x / (2 * sigma * sigma)));
  return unit_weights(values);
}

TEST(UnitWeights, AddUpToOneExactly) {
  for (const double sigma : {0.3, 1.0, 2.0, 17.3, 200.0}) {
    const std::vector<float> weights = gaussian(sigma);
    float sum = 0;
    for (const float weight : weights) sum += weight;
    EXPECT_EQ(sum, 1.0f) << sigma;
    for (const float weight : weights)
      EXPECT_EQ(std::ldexp(weight, 23), std::floor(weight * 0x1p23));
  }
}

TEST(Blur, OfAnImpulseIsItsWeights) {
  const std::vector<float> weights = gaussian(2);
  ASSERT_EQ(weights.size(), 13u);
  const Image made = run_chain("blur --sigma 2", impulse(31));
  for (int y = 0; y < 31; ++y)
    for (int x = 0; x < 31; ++x) {
      const int dx = x - 15 + 6, dy = y - 15 + 6;
      const bool reached = dx >= 0 && dx < 13 && dy >= 0 && dy < 13;
      const float expected =
          reached ? weights[static_cast<std::size_t>(dx)] * weights[static_cast<std::size_t>(dy)]
                  : 0.0f;
      EXPECT_EQ(value_at(made, x, y), expected) << x << " " << y;
    }
}

TEST(Blur, WeightsAreScipysGaussian) {
  // scipy 1.17.1: ndimage.gaussian_filter1d of an impulse, sigma 2, truncate 3.
  const double expected[] = {0.19967563, 0.17621312, 0.12110939, 0.06482519,
                             0.02702316, 0.00877313, 0.00221820};
  const Image made = run_chain("blur --sigma 2,0.1", impulse(31));
  for (int i = 0; i <= 6; ++i) {
    EXPECT_NEAR(value_at(made, 15 + i, 15), expected[i], 2e-7);
    EXPECT_EQ(value_at(made, 15 + i, 15), value_at(made, 15 - i, 15));
  }
}

TEST(Blur, KeepsAConstantImageConstant) {
  // Exact to the last bit if products are exact; otherwise within the rounding of the sums.
  for (const char* border : {"clamp", "wrap", "mirror"})
    for (const float sigma : {0.1f, 0.5f, 2.0f, 31.0f}) {
      const std::string words = "blur --sigma " + format_value(sigma) + " --border " + border;
      for (const float value : {1.0f, 0.25f, 0x1p-100f, -8.0f}) {
        const Image source = flat(spec_of({-3, 2, 33, 17}, PixelType::f32, 4), value);
        EXPECT_TRUE(same_pixels(run_chain(words, source), source)) << words << " of " << value;
      }
      const Image source = flat(spec_of({0, 0, 33, 17}, PixelType::f32, 3), 0.1f);
      const Image made = run_chain(words, source);
      EXPECT_NEAR(value_at(made, 5, 5), 0.1f, 1e-7) << words;
    }
  for (const int level : {0, 1, 37, 128, 254, 255}) {
    const Image source = flat(spec_of({0, 0, 9, 8}, PixelType::u8, 3), level / 255.0f);
    EXPECT_TRUE(same_pixels(run_chain("blur --sigma 3", source, {.format = "png"}), source));
  }
}

TEST(Blur, OpaqueStaysOpaqueToTheEdge) {
  const Image source =
      image_of(spec_of({0, 0, 40, 30}, PixelType::f32, 4), [](int, int x, int y, int c) {
        return c == 3 ? 1.0f : static_cast<float>((x * 7 + y * 5) % 11);
      });
  for (const char* words :
       {"blur --sigma 2", "blur --sigma 40 --border mirror", "unsharp --sigma 3 --amount 7"}) {
    const Image made = run_chain(words, source);
    for (int y = 0; y < 30; ++y)
      for (int x = 0; x < 40; ++x) ASSERT_EQ(value_at(made, x, y, 3), 1.0f) << words;
  }
}

TEST(Blur, NanAndInfinityReachNoFurtherThanTheRadius) {
  for (const float strange :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const Image source =
        image_of(spec_of({0, 0, 41, 41}, PixelType::f32, 1),
                 [&](int, int x, int y, int) { return x == 20 && y == 20 ? strange : 0.5f; });
    const Image made = run_chain("blur --sigma 2", source);
    for (int y = 0; y < 41; ++y)
      for (int x = 0; x < 41; ++x) {
        const bool reached = std::abs(x - 20) <= 6 && std::abs(y - 20) <= 6;
        const float value = value_at(made, x, y);
        const float expected = reached ? strange : 0.5f;
        EXPECT_EQ(std::bit_cast<std::uint32_t>(value), std::bit_cast<std::uint32_t>(expected));
      }
  }
}

TEST(Blur, ADataWindowGrowsAsIfItsZerosWereStored) {
  Spec spec = spec_of({10, 8, 20, 5}, PixelType::f32, 4);
  spec.display_window = {0, 0, 60, 15};
  const Image tight = noise(spec);
  const Image wide =
      image_of(spec_of({0, 0, 60, 15}, PixelType::f32, 4), [&](int, int x, int y, int c) {
        const Rect& r = spec.data_window;
        const bool inside = x >= r.x && x < r.right() && y >= r.y && y < r.bottom();
        return inside ? value_at(tight, x, y, c) : 0.0f;
      });
  for (const char* words : {"blur --sigma 1.6", "unsharp --sigma 1,2 --amount 3"}) {
    const Image made = run_chain(words, tight), whole = run_chain(words, wide);
    const Rect& r = made.spec().data_window;
    if (std::string(words).starts_with("blur")) {
      EXPECT_EQ(r, (Rect{5, 3, 30, 12}));
    }
    for (int y = 0; y < 15; ++y)
      for (int x = 0; x < 60; ++x) {
        const bool inside = x >= r.x && x < r.right() && y >= r.y && y < r.bottom();
        ASSERT_EQ(value_at(whole, x, y, 2), inside ? value_at(made, x, y, 2) : 0.0f)
            << x << " " << y;
      }
  }
}

TEST(Blur, BordersAreWhatTheySay) {
  const Image source = noise(spec_of({0, 0, 5, 4}, PixelType::f32, 2));
  // The picture continued beyond its edges by hand.
  const auto around = [&](auto index) {
    return image_of(spec_of({-30, -30, 65, 64}, PixelType::f32, 2), [&](int, int x, int y, int c) {
      const int i = index(x, 5), j = index(y, 4);
      return i < 0 || j < 0 ? 0.0f : value_at(source, i, j, c);
    });
  };
  const auto check = [&](const std::string& border, const Image& laid_out) {
    const Image made = run_chain("blur --sigma 3 --border " + border, source);
    const Image expected = run_chain("blur --sigma 3", laid_out);
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 5; ++x)
        EXPECT_EQ(value_at(made, x, y, 1), value_at(expected, x, y, 1)) << border;
  };
  check("clamp", around([](int i, int n) { return std::clamp(i, 0, n - 1); }));
  check("wrap", around([](int i, int n) { return (i % n + n) % n; }));
  check("mirror", around([](int i, int n) {
          const int j = (i % (2 * n) + 2 * n) % (2 * n);
          return j < n ? j : 2 * n - 1 - j;
        }));
  check("border", around([](int i, int n) { return i < 0 || i >= n ? -1 : i; }));
}

TEST(Blur, LeavesIdsAlone) {
  Spec spec = spec_of({0, 0, 12, 9}, PixelType::half, 3);
  spec.layers.push_back({"mask", {"id"}, PixelType::u32});
  const Image source = noise(spec);
  const Image made = run_chain("blur --sigma 4", source);
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 12; ++x)
      EXPECT_EQ(value_at<std::uint32_t>(made, x, y, 0, 1),
                value_at<std::uint32_t>(source, x, y, 0, 1));
}

TEST(Blur, LargeSigmasMakeTheSameInBandsAndWhole) {
  const Image source = noise(spec_of({0, 0, 50, 300}, PixelType::u8, 4));
  const Image in_bands = run_chain("blur --sigma 60,200", source, {.threads = 2});
  EXPECT_TRUE(same_pixels(run_chain("blur --sigma 60,200", source, {.whole = true}), in_bands));
}

TEST(Blur, RefusesInvalidSigmas) {
  const Image source = noise(spec_of({0, 0, 4, 4}, PixelType::f32, 1));
  for (const char* sigma : {"0", "-1", "1000.5", "1,2,3", "nan"})
    EXPECT_THROW(run_chain(std::string("blur --sigma ") + sigma, source), Error) << sigma;
}

TEST(Unsharp, OfNothingIsThePictureNanIncluded) {
  Spec spec = spec_of({2, 1, 17, 11}, PixelType::f32, 4);
  spec.display_window = {0, 0, 40, 30};
  Image image = noise(spec);
  const float bad[] = {std::numeric_limits<float>::quiet_NaN(),
                       std::numeric_limits<float>::infinity(), -0.0f};
  std::memcpy(image.row(0, 5) + 64, bad, sizeof bad);
  EXPECT_TRUE(same_pixels(run_chain("unsharp --sigma 3 --amount 0", image), image));
  const Image codes = noise(spec_of({0, 0, 9, 7}, PixelType::u8, 4));
  ChainOptions png;
  png.format = "png";
  EXPECT_TRUE(same_pixels(run_chain("unsharp --amount 0", codes, png), codes));
}

TEST(Unsharp, AddsTheDetailAboveTheThreshold) {
  const Image source = noise(spec_of({0, 0, 21, 13}, PixelType::f32, 3));
  const Image blurred = run_chain("blur --sigma 2", source);
  const Image sharp = run_chain("unsharp --sigma 2 --amount 1.5 --threshold 0.2", source);
  int kept = 0, changed = 0;
  for (int y = 0; y < 13; ++y)
    for (int x = 0; x < 21; ++x)
      for (int c = 0; c < 3; ++c) {
        const float original = value_at(source, x, y, c);
        const float detail = original - value_at(blurred, x, y, c);
        const bool keeps = std::abs(detail) < 0.2f;
        EXPECT_EQ(value_at(sharp, x, y, c), keeps ? original : original + 1.5f * detail);
        ++(keeps ? kept : changed);
      }
  EXPECT_GT(kept, 100);
  EXPECT_GT(changed, 100);
}

}  // namespace
}  // namespace cuimg::test

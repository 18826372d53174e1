// SPDX-License-Identifier: Apache-2.0
// Keys of light: for every light and alpha that 8-bit pictures have, the codes that they decide are
// the definition's.
#include "stages/filter/median/light_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "image/srgb_tables.h"

namespace cuimg::test {
namespace {

struct Product {
  float light;
  std::uint32_t key;
};

std::vector<Product> all_products() {
  const Srgb8Tables& tables = srgb8_tables();
  std::vector<Product> products;
  for (int alpha = 0; alpha < 256; ++alpha)
    for (int code = 0; code < 256; ++code) {
      const float light = tables.decode[code], part = light * (1.0f / 255);
      const std::uint32_t bits = bits_of_key(part, static_cast<float>(alpha));
      products.push_back(
          {light * (static_cast<float>(alpha) / 255.0f), bits >> key_shift & 0xffffu});
    }
  return products;
}

// The reciprocals that a card may compute.
std::vector<float> near_reciprocals(int alpha) {
  const float exact = 1.0f / static_cast<float>(std::max(alpha, 1));
  return {exact * (1 - 0x1p-22f), exact, exact * (1 + 0x1p-22f)};
}

TEST(LightKeys, DecideOnlyCodesOfTheDefinition) {
  const Srgb8Tables& tables = srgb8_tables();
  const std::vector<Product> products = all_products();
  long long doubts = 0, all = 0;
  for (int alpha = 1; alpha < 256; ++alpha)
    for (const float reciprocal : near_reciprocals(alpha)) {
      const AlphaScale scale(reciprocal);
      for (const Product& product : products) {
        const int code = linear_to_srgb8(
            tables, std::min(product.light / (static_cast<float>(alpha) / 255.0f), 1.0f));
        const CodesOfKey codes(near_codes().entries, product.key, scale);
        const int low = static_cast<int>(codes.low >> 24),
                  high = static_cast<int>(codes.high >> 24);
        ASSERT_LE(low, code) << alpha << ' ' << product.light;
        if (!is_sure_alpha(static_cast<std::uint32_t>(alpha))) continue;
        ASSERT_GE(high, code) << alpha << ' ' << product.light;
        ASSERT_LE(high, low + 1);
        ++all;
        doubts += low != high;
      }
    }
  EXPECT_LT(doubts, all / 50);
}
TEST(LightKeys, MakeNoLightWithoutAlphaTheFirstCode) {
  const std::uint32_t key = bits_of_key(0, 0) >> key_shift & 0xffffu;
  const CodesOfKey codes(near_codes().entries, key, AlphaScale(1.0f / 255));
  EXPECT_EQ(codes.low >> 24, 0u);
  EXPECT_EQ(codes.high >> 24, 0u);
  EXPECT_TRUE(is_sure_alpha(0));
}
TEST(LightKeys, HaveTheOrderOfLight) {
  std::vector<Product> products = all_products();
  std::sort(products.begin(), products.end(),
            [](const Product& a, const Product& b) { return a.light < b.light; });
  // Within the rounding of products: light that is more than a few steps higher has no lower key.
  std::uint32_t highest = 0;
  std::size_t passed = 0;
  for (const Product& product : products) {
    while (products[passed].light < product.light * (1 - 0x1p-21f))
      highest = std::max(highest, products[passed++].key);
    ASSERT_GE(product.key, highest) << product.light;
  }
}
TEST(NearCodes, HaveTheThresholdsOfTheCurve) {
  const Srgb8Tables& tables = srgb8_tables();
  for (int code = 1; code < 256; ++code) {
    const float threshold = near_codes().thresholds[code];
    EXPECT_EQ(linear_to_srgb8(tables, threshold), code);
    EXPECT_EQ(linear_to_srgb8(tables, float_from_bits(bits_of(threshold) - 1)), code - 1);
  }
}
// A card searches upwards from there for the smallest light with a higher code.
TEST(NearCodes, HaveThresholdsThatProductsMissByLessThanThreeSteps) {
  for (int code = 1; code < 256; ++code)
    for (int i = 1; i < 256; ++i) {
      const float threshold = near_codes().thresholds[code], alpha = static_cast<float>(i) / 255.0f;
      const float below = float_from_bits(bits_of(threshold * alpha) - 3);
      ASSERT_LT(below / alpha, threshold) << code << ' ' << i;
    }
}

}  // namespace
}  // namespace cuimg::test

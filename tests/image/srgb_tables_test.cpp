// SPDX-License-Identifier: Apache-2.0
// sRGB codes: the tables compared with long double, and the fast lookups with their definition.
#include "image/srgb_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using namespace cuimg;

long double decode(long double x) {
  return x <= 0.04045L ? x / 12.92L : std::pow((x + 0.055L) / 1.055L, 2.4L);
}

/// The light at which code k begins, for k from 1 to `codes`.
std::vector<long double> exact_thresholds(int codes) {
  std::vector<long double> result;
  for (int k = 1; k <= codes; ++k) result.push_back(decode((k - 0.5L) / codes));
  return result;
}

/// The definition: the number of thresholds that are at most the light.
int defined_code(const std::vector<long double>& thresholds, float light) {
  if (std::isnan(light)) return 0;
  const auto end =
      std::upper_bound(thresholds.begin(), thresholds.end(), static_cast<long double>(light));
  return static_cast<int>(end - thresholds.begin());
}

float from_bits(std::uint32_t b) { return std::bit_cast<float>(b); }

template <class Encode>
void expect_codes_by_definition(const std::vector<long double>& thresholds, Encode encode) {
  const float special[] = {0.0f,
                           -0.0f,
                           -1.0f,
                           2.0f,
                           1e-40f,
                           1.0f,
                           std::numeric_limits<float>::infinity(),
                           -std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::quiet_NaN(),
                           -std::numeric_limits<float>::quiet_NaN()};
  for (float light : special) ASSERT_EQ(encode(light), defined_code(thresholds, light)) << light;
  // The two floats on each side of every threshold.
  for (long double threshold : thresholds) {
    const std::uint32_t b = std::bit_cast<std::uint32_t>(static_cast<float>(threshold));
    for (std::uint32_t near = b - 2; near <= b + 2; ++near)
      ASSERT_EQ(encode(from_bits(near)), defined_code(thresholds, from_bits(near))) << near;
  }
  // Every 997th float from 2^-23 to 2.
  for (std::uint32_t b = 0x34000000u; b <= 0x40000000u; b += 997)
    ASSERT_EQ(encode(from_bits(b)), defined_code(thresholds, from_bits(b))) << from_bits(b);
}

TEST(SrgbTables, DecodeGivesTheNearestFloat) {
  for (int code = 0; code < 256; ++code)
    EXPECT_EQ(srgb8_tables().decode[code], static_cast<float>(decode(code / 255.0L))) << code;
  for (int code = 0; code < 65536; ++code)
    ASSERT_EQ(srgb16_tables().decode[code], static_cast<float>(decode(code / 65535.0L))) << code;
}

TEST(SrgbTables, EncodeTo8BitsFollowsTheThresholds) {
  expect_codes_by_definition(exact_thresholds(255),
                             [](float light) { return linear_to_srgb8(srgb8_tables(), light); });
}

TEST(SrgbTables, EncodeTo16BitsFollowsTheThresholds) {
  expect_codes_by_definition(exact_thresholds(65535),
                             [](float light) { return linear_to_srgb16(srgb16_tables(), light); });
}

TEST(SrgbTables, EveryCodeSurvivesTheRoundTrip) {
  for (int code = 0; code < 256; ++code) {
    const auto stored = static_cast<std::uint8_t>(code);
    EXPECT_EQ(linear_to_srgb8(srgb8_tables(), srgb8_to_linear(srgb8_tables(), stored)), code);
  }
  for (int code = 0; code < 65536; ++code) {
    const auto stored = static_cast<std::uint16_t>(code);
    ASSERT_EQ(linear_to_srgb16(srgb16_tables(), srgb16_to_linear(srgb16_tables(), stored)), code);
  }
}

// A card's box filter looks for thresholds near a light only in the light's own bucket. Near means
// at most 30 steps (lib/stages/filter/box_tiles.cu).
TEST(SrgbTables, NoThresholdOf8BitsLiesNextToTheBoundOfItsBucket) {
  for (const std::uint32_t entry : srgb8_tables().encode) {
    const std::uint32_t threshold = -entry & 0xffffu;
    if (threshold != 0) {
      EXPECT_TRUE(threshold > 50 && threshold < 0x10000u - 50) << threshold;
    }
  }
}

}  // namespace

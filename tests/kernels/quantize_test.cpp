// SPDX-License-Identifier: Apache-2.0
// Stored integers and floats: exact quotients, exact products, ties, clamping, alpha.
#include "kernels/math/quantize.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace {

using namespace cuimg;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

TEST(Quantize, IntegersBecomeCorrectlyRoundedQuotientsAndReturn) {
  for (int v = 0; v < 256; ++v) {
    const float found = unorm8_to_float(static_cast<std::uint8_t>(v));
    EXPECT_EQ(found, static_cast<float>(v / 255.0L));
    EXPECT_EQ(float_to_unorm8(found), v);
  }
  for (int v = 0; v < 65536; ++v) {
    const float found = unorm16_to_float(static_cast<std::uint16_t>(v));
    ASSERT_EQ(found, static_cast<float>(v / 65535.0L));
    ASSERT_EQ(float_to_unorm16(found), v);
  }
}

TEST(Quantize, ProductsAreRoundedOnceWithTiesToEven) {
  // Either product fits into 40 bits, so double is exact here.
  for (std::uint32_t b = 0; b <= 0x3f800000u; b += 501) {
    const float v = std::bit_cast<float>(b);
    ASSERT_EQ(float_to_unorm8(v), std::nearbyint(v * 255.0)) << v;
    ASSERT_EQ(float_to_unorm16(v), std::nearbyint(v * 65535.0)) << v;
  }
  // The floats around every half-way point.
  for (double scale : {255.0, 65535.0})
    for (int k = 0; k < static_cast<int>(scale); ++k) {
      const std::uint32_t middle = bits(static_cast<float>((k + 0.5) / scale));
      for (std::uint32_t b = middle - 2; b <= middle + 2; ++b) {
        const float v = std::bit_cast<float>(b);
        const int found = scale == 255.0 ? float_to_unorm8(v) : float_to_unorm16(v);
        ASSERT_EQ(found, std::nearbyint(v * scale)) << v;
      }
    }
  EXPECT_EQ(float_to_unorm8(0.5f), 128);  // 127.5, a tie
  EXPECT_EQ(float_to_unorm16(0.5f), 32768);
}

TEST(Quantize, ClampsAndTakesNanAsZero) {
  for (float v : {-1.0f, -inf, nan, -nan, -0.0f, 1e-42f}) {
    EXPECT_EQ(float_to_unorm8(v), 0);
    EXPECT_EQ(float_to_unorm16(v), 0);
    EXPECT_EQ(float_to_uint32(v), 0u);
  }
  for (float v : {1.0f, 1.5f, 1e30f, inf}) {
    EXPECT_EQ(float_to_unorm8(v), 255);
    EXPECT_EQ(float_to_unorm16(v), 65535);
  }
}

TEST(Quantize, IdsAreRoundedAndSaturate) {
  EXPECT_EQ(uint32_to_float(16777217u), 16777216.0f);
  EXPECT_EQ(uint32_to_float(0xffffffffu), 0x1p32f);
  EXPECT_EQ(float_to_uint32(0x1p32f), 0xffffffffu);
  EXPECT_EQ(float_to_uint32(inf), 0xffffffffu);
  EXPECT_EQ(float_to_uint32(0x1.fffffep31f), 0xffffff00u);
  EXPECT_EQ(float_to_uint32(2.5f), 2u);
  EXPECT_EQ(float_to_uint32(3.5f), 4u);
  EXPECT_EQ(float_to_uint32(3000000000.0f), 3000000000u);
}

TEST(Alpha, PremultiplyingAndBackKeepsColor) {
  EXPECT_EQ(premultiply(0.5f, 0.25f), 0.125f);
  EXPECT_EQ(unpremultiply(0.125f, 0.25f), 0.5f);
  EXPECT_EQ(unpremultiply(1.0f, 3.0f), 1.0f / 3.0f);
  EXPECT_EQ(unpremultiply(7.0f, 0.0f), 7.0f);
  EXPECT_EQ(unpremultiply(7.0f, -0.0f), 7.0f);
  EXPECT_EQ(bits(unpremultiply(std::bit_cast<float>(0xffc12345u), 0.0f)), 0xffc12345u);
  EXPECT_EQ(bits(premultiply(inf, 0.0f)), 0x7fc00000u);
  EXPECT_EQ(bits(premultiply(-nan, 0.5f)), 0x7fc00000u);
  EXPECT_EQ(bits(unpremultiply(inf, inf)), 0x7fc00000u);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
#include "kernels/texture/texture_bilinear.h"

#include <gtest/gtest.h>

#include <random>

#include "kernels/random_texels.h"
#include "kernels/texture/texture_unit.h"

namespace cuimg {
namespace {

float defined(const float (&t)[4], int fx, int fy) {
  return linear_2d_taps<float, 1>(AxisTaps{0, 1, fx}, AxisTaps{0, 1, fy},
                                  [&](int x, int y) { return Texel<float, 1>{{t[2 * y + x]}}; })
      .v[0];
}

// @returns whether the fast form was applicable.
bool compare(const float (&t)[4], int fx, int fy) {
  const PlainBilinear weigh(fx, fy);
  if (!weigh.all_count() || !CutTexels::holds(t[0], t[1], t[2], t[3])) return false;
  EXPECT_EQ(bits_of(weigh(t[0], t[1], t[2], t[3])), bits_of(defined(t, fx, fy)))
      << std::hexfloat << t[0] << ' ' << t[1] << ' ' << t[2] << ' ' << t[3] << " at " << fx << ' '
      << fy;
  return true;
}

TEST(TextureBilinear, EqualsTheTextureUnitAtEveryPlaceBetweenFourTexels) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> value(-2.0f, 2.0f);
  int without_weight = 0, near_a_corner = 0;
  for (int fy = 1; fy < 256; ++fy)
    for (int fx = 1; fx < 256; ++fx) {
      const PlainBilinear weigh(fx, fy);
      EXPECT_EQ(weigh.w00 + weigh.w10 + weigh.w01 + weigh.w11, 256);
      without_weight += !weigh.all_count();
      near_a_corner += (fx * fy < 128) + (fx * fy <= 128);
      for (int i = 0; i < 8; ++i) {
        const bool held =
            compare({value(random), value(random), value(random), value(random)}, fx, fy);
        EXPECT_EQ(held, weigh.all_count());
      }
    }
  // The texel across has no effect if its weight rounds to 0 of 256. For t11 and t00 that is below
  // a half; for t10 and t01, which get the remainder, also at a half.
  EXPECT_EQ(without_weight, 2 * near_a_corner);
}

TEST(TextureBilinear, EqualsTheTextureUnitOverEveryExponent) {
  std::mt19937 random(2);
  int held = 0;
  for (int i = 0; i < 600000; ++i) {
    float t[4];
    test::make_texels(t, random);
    const int fx = 1 + static_cast<int>(random() % 255), fy = 1 + static_cast<int>(random() % 255);
    held += compare(t, fx, fy);
  }
  EXPECT_GT(held, 300000);
}

TEST(TextureBilinear, EqualsTheTextureUnitOnAllBits) {
  std::mt19937 random(3);
  int held = 0;
  for (int i = 0; i < 300000; ++i) {
    float t[4];
    for (float& x : t) x = float_from_bits(static_cast<std::uint32_t>(random()));
    held += compare(t, 1 + static_cast<int>(random() % 255), 1 + static_cast<int>(random() % 255));
  }
  EXPECT_GT(held, 200000);
}

TEST(TextureBilinear, LeavesTexelsWithoutAPlainSumToTheDefinition) {
  const float infinity = float_from_bits(0x7f800000u), nan = float_from_bits(0x7fc00000u);
  EXPECT_TRUE(CutTexels::holds(0.0f, 0.0f, 0.0f, 0.0f));
  EXPECT_FALSE(CutTexels::holds(0.0f, -0.0f, 0.0f, 0.0f));
  EXPECT_TRUE(CutTexels::holds(1.0f, -0.0f, 0.0f, 1e-40f));
  EXPECT_FALSE(CutTexels::holds(1e-30f, 0.0f, 0.0f, 0.0f));
  EXPECT_FALSE(CutTexels::holds(1.0f, infinity, 0.0f, 0.0f));
  EXPECT_FALSE(CutTexels::holds(1.0f, 1.0f, 1.0f, nan));
}

}  // namespace
}  // namespace cuimg

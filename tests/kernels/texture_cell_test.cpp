// SPDX-License-Identifier: Apache-2.0
#include "kernels/texture_cell.h"

#include <gtest/gtest.h>

#include <random>

#include "kernels/texture_unit.h"

namespace cuimg {
namespace {

float reference(const float (&t)[4], int fx, int fy) {
  return linear_2d_taps<float, 1>(AxisTaps{0, 1, fx}, AxisTaps{0, 1, fy},
                                  [&](int x, int y) { return Texel<float, 1>{{t[2 * y + x]}}; })
      .v[0];
}

// Compares at random fractions; returns how many cells were plain.
int compare(std::mt19937& random, const float (&t)[4]) {
  const FloatCell cell = FloatCell::of(t[0], t[1], t[2], t[3]);
  if (!cell.is_plain) return 0;
  for (int i = 0; i < 4; ++i) {
    const int fx = 16 + static_cast<int>(random() % 225),
              fy = 16 + static_cast<int>(random() % 225);
    const float expected = reference(t, fx, fy), got = cell.sample(CellWeights::at(fx, fy));
    EXPECT_EQ(bits_of(got), bits_of(expected))
        << t[0] << ' ' << t[1] << ' ' << t[2] << ' ' << t[3] << " at " << fx << ' ' << fy;
  }
  return 1;
}

TEST(TextureCell, EqualsTheTextureUnitOnCloseValues) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> value(-2.0f, 2.0f);
  int plain = 0;
  for (int i = 0; i < 100000; ++i)
    plain += compare(random, {value(random), value(random), value(random), value(random)});
  EXPECT_EQ(plain, 100000);
}

TEST(TextureCell, EqualsTheTextureUnitOverEveryExponent) {
  std::mt19937 random(2);
  int plain = 0;
  for (int i = 0; i < 200000; ++i) {
    const std::uint32_t base = random() % 255;
    float t[4];
    for (float& x : t) {
      const std::uint32_t exponent = (base + random() % 40) % 255;
      x = float_from_bits(random() << 31 | exponent << 23 | (random() & 0x7fffffu));
      if (random() % 8 == 0) x = random() % 2 ? 0.0f : -0.0f;
    }
    plain += compare(random, t);
  }
  EXPECT_GT(plain, 100000);
}

TEST(TextureCell, ExactCancellationAndTiesFollowTheUnit) {
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    const float a = static_cast<float>(static_cast<int>(random() % 4096) - 2048) * 0x1p-4f;
    const float b = static_cast<float>(static_cast<int>(random() % 4096) - 2048) * 0x1p-20f;
    compare(random, {a, -a, a, -a});
    compare(random, {a, b, -a, b});
    compare(random, {a, a, a, -3 * a});
  }
}

TEST(TextureCell, SpecialValuesAreNotPlain) {
  const float inf = float_from_bits(0x7f800000u), nan = float_from_bits(0x7fc00000u);
  for (const float x : {inf, -inf, nan, 0x1p-126f, 0x1p-140f, 0x1p127f})
    EXPECT_FALSE(FloatCell::of(x, x, x, x).is_plain) << x;
  EXPECT_FALSE(FloatCell::of(1, 1, inf, 1).is_plain);
  EXPECT_FALSE(FloatCell::of(0, 0, 0, 0).is_plain);
}

}  // namespace
}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
#include "kernels/texture/texture_doubling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>

#include "kernels/random_texels.h"
#include "kernels/texture/texture_unit.h"

namespace cuimg {
namespace {

float defined(const float (&t)[4], int column, int row) {
  return linear_2d_taps<float, 1>(AxisTaps{0, 1, column == 0 ? 64 : 192},
                                  AxisTaps{0, 1, row == 0 ? 64 : 192},
                                  [&](int x, int y) { return Texel<float, 1>{{t[2 * y + x]}}; })
      .v[0];
}

template <class Cell>
void expect_all_four(const float (&t)[4]) {
  const Cell cell(t[0], t[1], t[2], t[3]);
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 2; ++column)
      EXPECT_EQ(bits_of(cell.result(column, row)), bits_of(defined(t, column, row)))
          << std::hexfloat << t[0] << ' ' << t[1] << ' ' << t[2] << ' ' << t[3] << " at " << column
          << ' ' << row;
}

bool is_positive(const float (&t)[4]) {
  return std::none_of(std::begin(t), std::end(t), [](float x) { return std::signbit(x); });
}

// Compares all four results. @returns whether the fast form was applicable.
bool compare(const float (&t)[4]) {
  if (!CutTexels::holds(t[0], t[1], t[2], t[3])) return false;
  expect_all_four<DoublingCell>(t);
  if (is_positive(t)) expect_all_four<PositiveDoublingCell<true>>(t);
  return true;
}

TEST(TextureDoubling, EqualsTheTextureUnitOnCloseValues) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> value(-2.0f, 2.0f);
  for (int i = 0; i < 300000; ++i)
    EXPECT_TRUE(compare({value(random), value(random), value(random), value(random)}));
}

// Sums that are halfway between floats, and zeros next to the largest values.
TEST(TextureDoubling, PositiveTexelsEqualTheTextureUnit) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> value(0.0f, 1.0f);
  for (int i = 0; i < 300000; ++i) {
    float t[4];
    for (float& x : t) {
      const float light = value(random);
      const unsigned bits = random() % 8 + 1;
      x = i % 3 == 0 ? light : i % 3 == 1 ? light * light * light : 0x1p-20f;
      if (i % 5 == 0) x = static_cast<float>(random() & ((2u << (3 * bits)) - 1)) * 0x1p-24f;
      if (random() % 7 == 0) x = 0;
    }
    ASSERT_TRUE(is_positive(t));
    EXPECT_TRUE(compare(t));
  }
}

TEST(TextureDoubling, EqualsTheTextureUnitOverEveryExponent) {
  std::mt19937 random(2);
  int held = 0;
  for (int i = 0; i < 600000; ++i) {
    float t[4];
    test::make_texels(t, random);
    held += compare(t);
  }
  EXPECT_GT(held, 300000);
}

TEST(TextureDoubling, EqualsTheTextureUnitOnAllBits) {
  std::mt19937 random(3);
  for (int i = 0; i < 300000; ++i) {
    float t[4];
    for (float& x : t) x = float_from_bits(static_cast<std::uint32_t>(random()));
    compare(t);
  }
}

TEST(TextureDoubling, ExactCancellationAndTiesFollowTheUnit) {
  std::mt19937 random(4);
  int held = 0;
  for (int i = 0; i < 50000; ++i) {
    const float a = static_cast<float>(static_cast<int>(random() % 4096) - 2048) * 0x1p-4f;
    const float b = static_cast<float>(static_cast<int>(random() % 4096) - 2048) * 0x1p-20f;
    held += compare({a, -a, a, -a});
    held += compare({a, -3 * a, a, -3 * a});
    held += compare({a, b, -a, b});
    held += compare({a, a, a, -15 * a});
    held += compare({a, -9 * a, 0.0f, b});
  }
  EXPECT_GT(held, 200000);
}

TEST(TextureDoubling, EveryCombinationOfNotableValuesFollowsTheUnit) {
  const float notable[] = {
      0.0f,      -0.0f,      1.0f,     -1.0f,           0x1.fffffep-1f,   0x1.fffffep0f,
      0x1p-4f,   0x1p-5f,    0x1p-27f, -0x1p-28f,       0x1p-86f,         -0x1p-87f,
      0x1p-126f, -0x1p-149f, 0x1p127f, 0x1.fffffep127f, -0x1.fffffep127f, 0x1.000002p0f};
  int held = 0;
  for (const float a : notable)
    for (const float b : notable)
      for (const float c : notable)
        for (const float d : notable) held += compare({a, b, c, d});
  EXPECT_GT(held, 50000);
}

TEST(TextureDoubling, SpecialAndTinyValuesAreLeftToTheDefinition) {
  const float inf = float_from_bits(0x7f800000u), nan = float_from_bits(0x7fc00000u);
  for (const float x : {inf, -inf, nan, -nan})
    for (int place = 0; place < 4; ++place) {
      float t[4] = {1, 2, 3, 4};
      t[place] = x;
      EXPECT_FALSE(CutTexels::holds(t[0], t[1], t[2], t[3]));
    }
  for (const float x : {0x1p-126f, 0x1p-140f, 0x1.fffffep-87f, -0.0f})
    EXPECT_FALSE(CutTexels::holds(x, x, x, x)) << x;
  EXPECT_TRUE(CutTexels::holds(0, 0, 0, 0));
  EXPECT_TRUE(CutTexels::holds(0x1p-86f, -0.0f, 0x1p-149f, 0));
}

}  // namespace
}  // namespace cuimg

// SPDX-License-Identifier: Apache-2.0
// The halved pictures of footprints: every side's texels cover the picture evenly.
#include "kernels/warp/halved_level.h"

#include <gtest/gtest.h>

#include <vector>

namespace cuimg::test {
namespace {

constexpr int sides[] = {1, 2, 3, 4, 5, 6, 7, 30, 61, 333, 1023, 8191, 131071, 131072};

TEST(HalvedLevel, AnEvenSideIsHalvedBy1331) {
  for (const int index : {-1, 0, 5, 16}) {
    const TentTaps taps(index, 32);
    EXPECT_EQ(taps.first, 2 * index - 1);
    const std::vector<float> weights(taps.weight, taps.weight + 4);
    EXPECT_EQ(weights, (std::vector{0.125f, 0.375f, 0.375f, 0.125f}));
  }
}

TEST(HalvedLevel, WeightsAreATentThatSumsToOne) {
  for (const int side : sides) {
    if (side == 1) continue;
    const int next = halved_side(side, 1);
    const double wide = double{1} * side / next;  // texels per texel of the next level
    for (const int index : {-1, 0, 1, next / 3, next / 2, next - 2, next - 1, next}) {
      const TentTaps taps(index, side);
      const double middle = (index + 0.5) * wide - 0.5;
      double shares = 0;
      for (int i = -9; i < 9; ++i)
        shares += std::max(0.0, 1 - std::abs(taps.first + i - middle) / wide);
      float sum = 0;
      for (int i = 0; i < 4; ++i) {
        const double share = std::max(0.0, 1 - std::abs(taps.first + i - middle) / wide) / shares;
        EXPECT_NEAR(taps.weight[i], share, 0x1p-22) << i << " of " << index << " of " << side;
        sum += taps.weight[i];
      }
      EXPECT_EQ(sum, 1.0f) << index << " of " << side;
    }
  }
}

TEST(HalvedLevel, AMirroredPicturesLevelsAreMirrored) {
  for (const int side : sides) {
    if (side == 1) continue;
    const int next = halved_side(side, 1);
    for (int index = 0; index < std::min(next, 200); ++index) {
      std::vector<float> weights(8), mirrored(8);
      const TentTaps taps(index, side), other(next - 1 - index, side);
      for (int i = 0; i < 4; ++i) {
        weights[static_cast<std::size_t>(taps.first + i - (2 * index - 4))] = taps.weight[i];
        const int place = side - 1 - (other.first + i);
        mirrored[static_cast<std::size_t>(place - (2 * index - 4))] = other.weight[i];
      }
      for (std::size_t i = 0; i < 8; ++i)
        ASSERT_NEAR(weights[i], mirrored[i], 0x1p-22) << index << " of " << side;
    }
  }
}

TEST(HalvedLevel, EdgesOfAllLevelsAreThePictures) {
  constexpr std::int64_t half = std::int64_t{1} << 31, texel = std::int64_t{1} << 32;
  for (const int side : sides)
    for (int level = 0; level == 0 || halved_side(side, level - 1) > 1; ++level) {
      const LevelAxis axis = level_axis(side, level);
      const int texels = halved_side(side, level);
      EXPECT_EQ(axis(-half), -half);
      EXPECT_NEAR(static_cast<double>(axis(side * texel - half) - (texels * texel - half)), 0, 1);
      // Reads far outside, where a border repeats the picture.
      const std::int64_t far = (std::int64_t{1} << 29) / side;
      EXPECT_NEAR(static_cast<double>(axis(far * side * texel - half)),
                  static_cast<double>(far * texels * texel - half), 600)
          << side << " at " << level;
      EXPECT_NEAR(axis.scale, double{1} * texels * (1 << level) / side, 1e-6);
      EXPECT_LT(axis.scale, 2.0f);
      EXPECT_GE(axis.scale, 1.0f);
    }
}

TEST(HalvedLevel, ASideOfOneTexelIsHalvedIntoWhatLiesAroundIt) {
  const TentTaps taps(0, 1);
  EXPECT_EQ(taps.first, -1);
  EXPECT_EQ(taps.weight[1], 0.375f);
  const LevelAxis first = level_axis(5, 3), later = level_axis(5, 6);
  EXPECT_EQ(later.share, first.share >> 3);
  EXPECT_EQ(later.scale, first.scale);
}

TEST(HalvedLevel, PositionsOfEvenSidesAreExact) {
  constexpr std::int64_t half = std::int64_t{1} << 31;
  const LevelAxis axis = level_axis(96, 5);
  EXPECT_EQ(axis.scale, 1.0f);
  for (const std::int64_t at : {std::int64_t{-77777777777}, std::int64_t{0}, half,
                                std::int64_t{123456789012345}, -(std::int64_t{1} << 61)})
    EXPECT_EQ(axis(at), ((at + half) >> 5) - half);
}

}  // namespace
}  // namespace cuimg::test
